// refused
extern void reach_error(void);
int f(int, ...);
int f(int a) { return a; }
int main(void) { if (f(1)) reach_error(); return 0; }
