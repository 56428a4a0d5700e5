// unknown: only a sum that overflows inside of a condition, which is undefined, makes the assertion fail.
#include <assert.h>

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int limit = 2147483647;
    if (x > 0)
        assert(x + 1 <= limit);
    return 0;
}
