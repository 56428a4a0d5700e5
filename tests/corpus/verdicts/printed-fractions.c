// violated
// An unsupported expression that is always defined may be printed.
#include <stdio.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    printf("%f %f %d %d %p\n", 1.0 * x, (double)x / 2.0, x | 5, (x ^ 3) == 1, NULL);
    printf(x ? "yes" : "no");
    fflush(NULL);
    if (x == 0) reach_error();
    return 0;
}
