// holds
// An index is read before what stands to its right is evaluated, or the element does not exist.
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void abort(void);
int i = 0;
int a[2][2] = {{1, 1}, {1, 4}};
int f(void) { i = 7; return 0; }
int main(void) { if (a[i][f()] == 4) reach_error(); return 0; }
