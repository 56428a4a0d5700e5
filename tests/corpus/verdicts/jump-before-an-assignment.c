// holds x = 3
// holds G (x = 3)
// A variable whose declaration is skipped by a jump has no value before it is assigned.
extern void reach_error(void);
int main(void) { int i = 0; goto L; int x; L: x = 3; i = 1; return 0; }
