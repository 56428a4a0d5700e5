// unsupported
// The number does not fit into int (C17, 6.3.1.4).
#include <stdio.h>
void reach_error(void);
int main(void) {
    printf("%d", (int)(1 ? 1e20 : 1));
    reach_error();
    return 0;
}
