// refused error-location-unreachable
// The definition has no parameters (C17, 6.7.6.3).
extern void reach_error(void);
int f() { return 1; }
int f(int);
int main(void) { reach_error(); return 0; }
