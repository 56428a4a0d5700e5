// unsupported
#include <stdio.h>
void reach_error(void);
int main(void) {
    printf("%d %d\n", 1);
    reach_error();
    return 0;
}
