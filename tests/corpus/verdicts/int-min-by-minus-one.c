// unknown
// INT_MIN / -1 is undefined, and no other run fails.
int main(void){ int x=__VERIFIER_nondet_int(); if (x / -1 > 2147483647) reach_error(); return 0; }
