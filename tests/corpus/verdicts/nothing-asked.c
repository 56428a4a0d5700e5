// refused
// holds i <= 1
// The header of assertions is not an assertion.
#include <assert.h>
int main(void) {
  int i = 1;
  return 0;
}
