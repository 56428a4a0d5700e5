// holds f_y <= 3
// holds f_result <= 4
// holds input <= 5
// The names generated for a variable of a function, its result and an input do not collide with others.
extern int __VERIFIER_nondet_int(void);
int f(void) { int y = 7; return y; }
int main(void) {
  int z = f() + __VERIFIER_nondet_int() % 2;
  int f_y = 3;
  int f_result = 4;
  int input = 5;
  z = f_y + f_result + input;
  return z;
}
