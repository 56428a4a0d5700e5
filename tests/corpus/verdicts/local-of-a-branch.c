// holds x <= 2
// holds G (x <= 2)
// violated F (x > 2)
// holds F (x = 0)
// A run that never declares x has no position of a word about x.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int c = __VERIFIER_nondet_int();
  if (c) { int x = 1; x = 0; }
  return 0;
}
