// violated
// Macros that a header has to define are defined, whether or not their values are known.
#include <stdint.h>
#include <inttypes.h>
#include <limits.h>
#include <assert.h>
#include <errno.h>
#include <stdio.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void abort(void);
#if defined INTMAX_MAX && INTMAX_MAX > 0 && defined PTRDIFF_MAX && defined INT64_C && defined INT_LEAST8_MAX && INT32_MAX == 2147483647
#define A 1
#else
#define A 0
#endif
#if defined assert && defined static_assert && defined EDOM && defined MB_LEN_MAX && defined SEEK_SET && defined stdout
#define B 1
#else
#define B 0
#endif
int main(void) { if (A && B && INT64_C(1) == 1) reach_error(); return 0; }
