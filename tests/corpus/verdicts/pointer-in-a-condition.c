// unsupported
#include <stddef.h>
void reach_error(void);
int main(void) {
#if NULL
    return 1;
#endif
    reach_error();
    return 0;
}
