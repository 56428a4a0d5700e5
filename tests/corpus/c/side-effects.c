// violated: an index is evaluated before its effect, and the arms of ?: have a type together.
#include <assert.h>

int main(void)
{
    int a[3];
    int i = 0;
    unsigned big = 4000000000u;
    a[i++] = 5;
    long long chosen = __VERIFIER_nondet_int() ? big : a[0];
    if (a[0] == 5 && i == 1)
        assert(chosen < 4000000000);
    return 0;
}
