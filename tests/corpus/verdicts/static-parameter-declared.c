// refused
extern void reach_error(void);
int f(static int x);
int main(void) { reach_error(); return 0; }
