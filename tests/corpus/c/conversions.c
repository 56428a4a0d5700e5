// holds: case labels and initial values are converted to the type of their target.
#include <assert.h>

int grid[2][2] = {{1}, {2}};
int minus = 0xFFFFFFFF;

int main(void)
{
    unsigned u = __VERIFIER_nondet_uint();
    int found = 0;
    int i = 3;
    switch (u) {
    case -1:
        found = 1;
    }
    assert(found == (u == 4294967295u));
    assert(grid[0][1] == 0 && grid[1][0] == 2);
    assert(minus == -1);
    assert(sizeof(i) == 4 && i == 3);
    return 0;
}
