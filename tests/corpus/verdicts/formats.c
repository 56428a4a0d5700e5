// violated
#include <inttypes.h>
#include <stdio.h>
void reach_error(void);
int main(void) {
    int64_t wide = 7;
    unsigned long word = 3;
    char c = 65;
    printf("%s: %d%% %c %x %hd %" PRId64 " %lu %5.2f %zu\n", __func__, 5, c, 5u, c, wide, word, 1.5, sizeof(int));
    reach_error();
    return 0;
}
