// Two locks that are taken and released in the reverse order.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void)
{
    int want_a = __VERIFIER_nondet_int();
    int want_b = __VERIFIER_nondet_int();
    int a, b;

    while (__VERIFIER_nondet_int()) {
        a = 0;
        b = 0;
        if (want_a) a = 1;
        if (want_b) b = 1;
        if (want_b) {
            if (b != 1) goto failed;
            b = 0;
        }
        if (want_a) {
            if (a != 1) goto failed;
            a = 0;
        }
    }
    return 0;

failed:
    reach_error();
    return 1;
}
