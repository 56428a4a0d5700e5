// violated: the same sum fails the assertion without any overflow, too.
#include <assert.h>

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 0)
        assert(x + 1 <= 100 || -x > 5);
    return 0;
}
