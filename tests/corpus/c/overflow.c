// unknown: only a run that overflows a signed number, which is undefined, reaches the failing assertion.
#include <assert.h>

int main(void)
{
    int n = 2147483647;
    n = n + 1;
    assert(n < 0);
    return 0;
}
