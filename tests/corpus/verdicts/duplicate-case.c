// refused
// Two cases of one value.
int main(void) { int x = __VERIFIER_nondet_int(); switch (x) { case 1: break; case 3 - 2: reach_error(); } return 0; }
