// unsupported
// A number is printed as a text (C17, 7.21.6.1).
#include <stdio.h>
void reach_error(void);
int main(void) {
    int x = 5;
    printf("%s\n", x);
    reach_error();
    return 0;
}
