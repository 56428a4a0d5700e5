// refused error-location-unreachable
// A compiler also checks functions that are never called.
extern void reach_error(void);
int f(int x) { return x + y; }
int main(void) { return 0; }
