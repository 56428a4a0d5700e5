// violated
#include <stdio.h>
#include <errno.h>
#include <math.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) { int signbit = __VERIFIER_nondet_int(); signbit && printf("b"); printf("%d %p", errno, (void *)0); if (signbit == 3) reach_error(); return 0; }
