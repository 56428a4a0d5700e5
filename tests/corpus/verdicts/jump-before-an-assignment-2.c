// holds x = 3
extern void reach_error(void);
int main(void) { int i = 0; { i = 1; goto L; int x; L: i = 2; x = 3; i = 3; } return 0; }
