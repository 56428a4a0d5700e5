// holds: the right side of && and || is evaluated only if it matters.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int asked;
int ask(int answer) { asked++; return answer; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 0 && ask(1))
        assert(asked == 1);
    else
        assert(asked == 0);
    asked = 0;
    int y = ask(0) || ask(2);
    assert(y == 1 && asked == 2);
    int old = asked++ + 10;
    assert(old == 12 && asked == 3);
    return 0;
}
