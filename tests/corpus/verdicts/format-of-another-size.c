// unsupported
// The operator is not supported, but its type is known and does not match.
#include <stdio.h>
void reach_error(void);
int main(void) {
    long long w = 1, z = 2;
    printf("%d", w & z);
    reach_error();
    return 0;
}
