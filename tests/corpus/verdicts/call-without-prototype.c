// unsupported
// The argument is an int, the parameter is not, and there is no conversion (C17, 6.5.2.2).
void reach_error(void);
int __VERIFIER_nondet_int(void);
int f();
int main(void) {
    if (f(1) == 1) reach_error();
    return 0;
}
int f(long long x) { return x == 1; }
