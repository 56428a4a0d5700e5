// holds
// The declaration determines the type of an input, and the type to which an assumption converts its argument.
extern void reach_error(void);
unsigned char __VERIFIER_nondet_int(void);
unsigned nondet(void);
void __VERIFIER_assume(unsigned char);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 255 || x < 0) reach_error();
  if (nondet() < 0) reach_error();
  __VERIFIER_assume(256);
  reach_error();
  return 0;
}
