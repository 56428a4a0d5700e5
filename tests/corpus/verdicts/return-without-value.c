// refused error-location-unreachable
// The result of main is a value (C17, 6.8.6.4).
extern void reach_error(void);
void f(void) {}
int main(void) { reach_error(); return f(); }
