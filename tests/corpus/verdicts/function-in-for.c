// refused error-location-unreachable
// A loop declares variables only (C17, 6.8.5).
extern void reach_error(void);
int main(void) { for (int i = 0, f(void); i < 1; i++) reach_error(); return 0; }
