// violated: the second lock is taken only with the first one, and released without it.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void)
{
    int want_a = __VERIFIER_nondet_int();
    int want_b = __VERIFIER_nondet_int();
    int a = 0, b = 0;

    if (want_a) {
        a = 1;
        if (want_b) b = 1;
    }
    if (want_b && b != 1) reach_error();
    return a;
}
