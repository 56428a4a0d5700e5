// unknown
// Shifting a negative number to the left is undefined in C17 (6.5.7).
int main(void){ int x = __VERIFIER_nondet_int(); int y = x << 1; if (x == -1) reach_error(); return 0; }
