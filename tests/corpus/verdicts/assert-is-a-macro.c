// violated
#include <assert.h>
#ifndef assert
#define assert(x) ((void)0)
#endif
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void abort(void);
int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 0); return 0; }
