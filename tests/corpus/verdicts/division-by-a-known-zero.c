// violated
// Only the other run divides by zero, which is undefined.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0;
  if (__VERIFIER_nondet_int()) reach_error();
  x = 5 / x;
  return 0;
}
