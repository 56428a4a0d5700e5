// refused
// The declaration and the definition differ.
unsigned f(void);
int f(void) { return -1; }
int main(void) { if (f() > 0) reach_error(); return 0; }
