// violated
void reach_error(void);
int __VERIFIER_nondet_int(void);
int f();
int main(void) {
    if (f(1) == 1) reach_error();
    return 0;
}
int f(int x) { return x == 1; }
