// unknown
// A function that is declared not to return, and does, has no defined run.
extern void reach_error(void);
_Noreturn void f(void) { }
int main(void) { f(); reach_error(); return 0; }
