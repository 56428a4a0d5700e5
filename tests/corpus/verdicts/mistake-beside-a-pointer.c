// refused error-location-unreachable
// A compiler refuses the last statement, although pointers are not supported and nobody calls the function.
extern void reach_error(void);
int f(int n) { int *p = &n; *p = n << n; return --1; }
int main(void) { return 0; }
