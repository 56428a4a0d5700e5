// unsupported
#include <stdio.h>
extern void reach_error(void);
int main(void) { if (printf("") == 7) reach_error(); return 0; }
