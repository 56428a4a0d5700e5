// holds: every kind of loop, with break and continue.
#include <assert.h>

int main(void)
{
    int sum = 0, i = 0, evens = 0;
    do {
        sum += 2;
        if (sum > 5) break;
    } while (1);
    assert(sum == 6);
    for (i = 0; i < 6; ++i) {
        if (i % 2) continue;
        evens++;
    }
    assert(evens == 3);
    while (i-- > 0)
        sum--;
    assert(sum == 0 && i == -1);
    return 0;
}
