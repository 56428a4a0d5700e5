// unsupported
#include <stdio.h>
void reach_error(void);
int main(void) {
    printf(L"%d", 3);
    reach_error();
    return 0;
}
