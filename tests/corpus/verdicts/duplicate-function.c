// refused
// One function with two bodies.
int f(void) { return 1; }
int f(void) { return 2; }
int main(void) { if (f() == 1) reach_error(); return 0; }
