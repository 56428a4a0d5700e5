// refused
// The variable is declared after its use.
int f(void) { return y; }
int y = 3;
int main(void) { if (f() == 3) reach_error(); return 0; }
