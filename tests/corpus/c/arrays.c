// holds: an array that is filled in a loop.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4] = { 1, 2 };
    int i;
    for (i = 0; i < 4; i++)
        a[i] = a[i] + i;
    assert(a[0] == 1 && a[1] == 3);
    i = __VERIFIER_nondet_int();
    if (i >= 2 && i < 4)
        assert(a[i] == i);
    return 0;
}
