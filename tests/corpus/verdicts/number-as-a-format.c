// refused
#include <stdio.h>
void reach_error(void);
int main(void) {
    printf(5);
    reach_error();
    return 0;
}
