// holds error-location-unreachable
// The operand with the effect is not the last one of its condition.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int x;
int change(void) { x = 1; return 0; }
int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = (a == 7 || change()) || a == 3;
    if (a == 7 && (!b || x)) reach_error();
    if (a != 7 && !x) reach_error();
    if (a == 3 && !b) reach_error();
    return 0;
}
