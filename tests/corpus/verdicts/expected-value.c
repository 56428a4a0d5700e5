// violated
// The parameter and the result of the function have type long.
extern void reach_error(void);
int main(void) { unsigned u = 4294967295u; if (__builtin_expect(u, 0) < 0) reach_error(); return 0; }
