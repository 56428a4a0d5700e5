// holds
// <stdint.h> leaves CHAR_BIT and ULLONG_MAX to the program.
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void abort(void);
#if defined CHAR_BIT || defined ULLONG_MAX
#define A 1
#else
#define A 0
#endif
#define CHAR_BIT 9
int main(void) { if (A || CHAR_BIT != 9) reach_error(); return 0; }
