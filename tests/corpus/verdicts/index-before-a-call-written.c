// holds
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void abort(void);
int i = 0;
int a[2][2] = {{1, 1}, {1, 1}};
int f(void) { i = 7; return 0; }
int main(void) { a[i][f()] = 9; if (a[0][0] == 1) reach_error(); return 0; }
