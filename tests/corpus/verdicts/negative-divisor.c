// holds
// Every quotient and remainder by -3 is defined; the remainder has the sign of the first operand.
int main(void) { int x = __VERIFIER_nondet_int(); int r = x % -3; if (x / -3 * -3 + r != x || r > 0 && x < 0 || r < 0 && x > 0) reach_error(); return 0; }
