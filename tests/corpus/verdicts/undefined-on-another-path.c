// violated
// The overflowing expression is not evaluated where x is not positive.
int __VERIFIER_nondet_int(void);
void reach_error(void);
int g;
int main(void) {
    int x = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    if (x > 0 && (g = 1, z + 1, 0)) return 1;
    if (z == 2147483647 && x <= 0) reach_error();
    return 0;
}
