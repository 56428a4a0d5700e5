// violated
// The type of a result is declared where its function is, not at calls.
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void abort(void);
enum E { A = 1 } f(void) { return A; }
int main(void) { int A = 7; { f(); if (A == 7) reach_error(); } return 0; }
