// violated
#include <stdio.h>
extern void reach_error(void);
int main(void) { int x = (printf("a"), 3); fflush(stdout); x == 3 ? printf("b") : puts("c"); if (x == 3) reach_error(); return 0; }
