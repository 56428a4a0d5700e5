// violated a_1 <= 0
// holds a_1 <= 1
// violated
// The name of a variable is not taken by an element of an array.
extern int __VERIFIER_nondet_int(void);
int a[2];
int a_1;
int main(void) {
  a[1] = 5;
  a_1 = 1;
  if (__VERIFIER_nondet_int() > 3 && a[1] == 5 && a_1 == 1) reach_error();
  return 0;
}
