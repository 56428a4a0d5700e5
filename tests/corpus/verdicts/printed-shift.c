// unsupported
// A shift that may be undefined: runs that continue after it must not count, and the shift is not supported.
#include <stdio.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    printf("%d\n", 1 << n);
    if (n >= 32) reach_error();
    return 0;
}
