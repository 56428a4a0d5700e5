// refused error-location-unreachable
// A compiler reads functions that nobody calls as well.
extern void reach_error(void);
int f(int x) { return x + y; }
int main(void) { return 0; }
