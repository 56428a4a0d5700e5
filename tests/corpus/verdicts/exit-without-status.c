// refused error-location-unreachable
// exit takes one argument.
#include <stdlib.h>
extern void reach_error(void);
int main(void) { if (0) exit(); reach_error(); return 0; }
