// holds: division truncates towards zero, the remainder has the sign of the dividend, and shifts and masks are exact.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1);
    int x = __VERIFIER_nondet_int();
    if (x > -100 && x < 100) {
        int q = x / 4, r = x % 4;
        assert(q * 4 + r == x);
        assert((x & 1) == 0 || (x & 1) == 1);
        assert(x << 2 == 4 * x);
        assert((char) (x + 256) == (char) x);
    }
    return 0;
}
