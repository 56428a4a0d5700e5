// violated
// An operand that is not evaluated does not overflow.
int main(void){ int a=__VERIFIER_nondet_int(); if (a < 100 && a + 2147483600 > 0) { } if (a == 200) reach_error(); return 0; }
