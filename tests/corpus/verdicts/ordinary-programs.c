// violated
// Constructs of ordinary programs.
#include <assert.h>
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
extern void reach_error(void);
enum __attribute__((unused)) E1 { A1, B1 };
__thread int t;
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int_fast8_t a = 5;
  uint_least32_t b = 1;
  wchar_t c = 2;
  time_t d = 3;
  int cells[2] = { 1, 2 };
  int x = __VERIFIER_nondet_int();
  switch (x) {
  case 1:
    t = 2;
    __attribute__((fallthrough));
  case 2:
    t = 3;
  }
L: __attribute__((unused));
  (void)cells;
  (void)"abc";
  !printf("a");
  x == 1 && printf("b");
  assert(("message", x != 2));
  return a + (int)b + c + (int)d;
}
