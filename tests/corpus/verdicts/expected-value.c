// violated
// The function takes and gives long.
extern void reach_error(void);
int main(void) { unsigned u = 4294967295u; if (__builtin_expect(u, 0) < 0) reach_error(); return 0; }
