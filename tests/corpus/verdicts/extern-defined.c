// holds
// A declaration and a definition are one variable.
extern int v;
int f(void) { return v; }
int main(void) { if (f() != 3 || v != 3) reach_error(); return 0; }
int v = 3;
