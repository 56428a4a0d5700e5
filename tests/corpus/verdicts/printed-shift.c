// unsupported
// A shift that may be undefined: no run that gets past it may count, and what it does is not supported.
#include <stdio.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    printf("%d\n", 1 << n);
    if (n >= 32) reach_error();
    return 0;
}
