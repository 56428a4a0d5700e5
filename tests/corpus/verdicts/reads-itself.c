// violated
// The variable in a loop is a new one in each round, without a value before its first assignment (C17, 6.2.4).
#include <assert.h>
int main(void) {
    for (int i = 0; i < 2; i++) {
        int x = i == 0 ? 1 : x;
        assert(x == 1);
    }
    return 0;
}
