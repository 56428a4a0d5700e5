// unsupported
// The macro is a pointer, not the number 0.
#include <stddef.h>
void reach_error(void);
int main(void) {
    int y = NULL;
    if (y == 0) reach_error();
    return 0;
}
