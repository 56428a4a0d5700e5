// refused error-location-unreachable
// Qualifiers belong to the type (C17, 6.7.3).
extern void reach_error(void);
volatile int x;
int x;
int main(void) { reach_error(); return x; }
