// unsupported
extern void reach_error(void);
typedef signed char T;
int main(void) { typedef int T __attribute__((mode(DI))); T x = 300; if (x != 300) reach_error(); return 0; }
