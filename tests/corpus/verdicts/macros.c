// holds
// Function-like macros, redefinitions, conditional groups and what __VA_ARGS__ stands for.
#include <limits.h>
#define SQUARE(x) ((x) * (x))
#define ADD(x, y) x + y
#define FIRST(x, ...) (x)
#if defined(SQUARE) && INT_MAX > 100 && !defined(NOT_DEFINED)
#define WANTED 1
#else
#error this group is not taken
#endif
#undef FIRST
#define FIRST(...) (WANTED, __VA_ARGS__)
int N = 5;
#define N 3
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (SQUARE(3) != 9 || ADD(1, 2) * 2 != 5 || FIRST(7) != 7 || N != 3)
    reach_error();
#ifdef N
#undef N
#endif
  if (N != 5)
    reach_error();
  return x;
}
