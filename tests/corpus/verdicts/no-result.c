// unknown
// To use the result of a function that ends without return is undefined.
int f(int x) { if (x) return 1; }
int main(void) { int x = __VERIFIER_nondet_int(); if (f(0) == 1 || f(x) == 5) reach_error(); return 0; }
