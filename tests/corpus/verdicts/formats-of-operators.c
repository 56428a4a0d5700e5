// violated
#include <stdio.h>
void reach_error(void);
int main(void) {
    long long flags = 6, mask = 2;
    int i = 5;
    printf("%lld %d %ld %u %d %*d %.*f\n", flags & mask, i ^ 9, (long)(i | 3), (unsigned)(i ^ 9), i ? i | 3 : 4, i, i, 2, 1.5);
    reach_error();
    return 0;
}
