// unsupported
#include <errno.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void abort(void);
#if EDOM > 100
#define A 1
#else
#define A 0
#endif
int main(void) { if (A) reach_error(); return 0; }
