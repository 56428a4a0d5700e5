// unknown
// INT_MIN % -1 is undefined in C17 (6.5.5).
int main(void) { int x = __VERIFIER_nondet_int(); if (x % -1 != 0 || x == -2147483647 - 1 && x % -1 == 0) reach_error(); return 0; }
