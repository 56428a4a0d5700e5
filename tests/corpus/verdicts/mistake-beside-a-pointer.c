// refused error-location-unreachable
// A compiler rejects the last statement, although pointers are not supported and the function is never called.
extern void reach_error(void);
int f(int n) { int *p = &n; *p = n << n; return --1; }
int main(void) { return 0; }
