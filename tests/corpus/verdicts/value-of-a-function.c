// refused error-location-unreachable
// A function has no initial value (C17, 6.7.9).
extern void reach_error(void);
extern int f(void), g(void) = 1;
int main(void) { reach_error(); return 0; }
