// violated
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[] = {1, 2, 3};
  assert(a[2] == 3 && "a text is not zero");
  if (__VERIFIER_nondet_int()) assert(!"reached");
  return 0;
}
