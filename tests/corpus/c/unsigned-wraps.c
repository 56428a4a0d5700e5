// violated: an unsigned counter goes from 0 to the largest number.
#include <assert.h>

int main(void)
{
    unsigned int n = 0;
    unsigned char small = 250;
    n--;
    assert(n == 4294967295u);
    small += 10;
    assert(small == 4);
    assert(n < 4000000000u);
    return 0;
}
