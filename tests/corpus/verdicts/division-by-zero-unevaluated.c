// violated
// The quotient is not evaluated.
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3 || x / 0 == 1) reach_error(); return 0; }
