// refused
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void abort(void);
void f(enum { Q = 2 } x);
int main(void) { if (Q == 2) reach_error(); return 0; }
