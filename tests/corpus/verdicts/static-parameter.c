// refused
extern void reach_error(void);
int f(static int x) { return x; } int main(void) { if (f(0)) reach_error(); return 0; }
