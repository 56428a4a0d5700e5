// violated
// Only one arm of a conditional is evaluated.
int main(void) { int x = __VERIFIER_nondet_int(); int y = x < 100 ? x : x - 2147483647; int z = x > 0 ? x - 1 : 0; if (x == 2147483647) reach_error(); return 0; }
