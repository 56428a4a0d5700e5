// violated error-location-unreachable
// A prototype may come before a definition in the old style.
extern void reach_error(void);
int f(int);
int f(a) int a; { return a; }
int main(void) { volatile int x = 1; if (x > 0) reach_error(); return 0; }
