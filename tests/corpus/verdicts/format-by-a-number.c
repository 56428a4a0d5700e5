// unsupported
// The text is "%s".
#include <stdio.h>
void reach_error(void);
int main(void) {
    printf("\x025s\n", 3);
    reach_error();
    return 0;
}
