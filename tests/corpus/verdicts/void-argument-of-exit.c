// refused
#include <stdlib.h>
extern void reach_error(void);
void f(void) { reach_error(); }
int main(void) { exit(f()); return 0; }
