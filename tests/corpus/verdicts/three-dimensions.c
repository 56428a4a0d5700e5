// holds
// Elements of an array of arrays of arrays are counted row by row.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef int R;
R a[2][2][2] = {{{1, 2}, {3, 4}}, {{5}, {7, 8}}};
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (a[0][1][0] != 3 || a[1][0][0] != 5 || a[1][0][1] != 0 || a[1][1][1] != 8) reach_error();
  if (i < 0 || i > 1) return 0;
  a[i][0][1] = 9;
  if (a[i][0][1] != 9 || a[1 - i][1][1] == 9) reach_error();
  return 0;
}
