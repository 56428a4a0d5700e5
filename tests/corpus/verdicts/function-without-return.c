// unknown
// The behaviour of a function that is declared not to return, and does, is undefined.
extern void reach_error(void);
_Noreturn void f(void) { }
int main(void) { f(); reach_error(); return 0; }
