// violated
// A declaration among parameters is visible there only.
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void abort(void);
enum { Q = 1 };
void f(enum { Q = 2 } x);
int main(void) { if (Q == 1) reach_error(); return 0; }
