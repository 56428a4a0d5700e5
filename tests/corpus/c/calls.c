// holds: functions, results, globals and a switch.
#include <assert.h>
#define LIMIT 3

int calls;

enum shape { POINT, LINE, SQUARE };

int sides(enum shape s)
{
    calls++;
    switch (s) {
    case POINT: return 0;
    case LINE:  return 1;
    default:    return 4;
    }
}

int larger(int a, int b) { return a > b ? a : b; }

int main(void)
{
    int n = larger(sides(POINT), sides(SQUARE)) + larger(sides(LINE), 0);
    assert(n == 5);
    assert(calls == LIMIT);
    return 0;
}
