// refused
extern void reach_error(void);
long f(void);
int f(void) { return 0; }
int main(void) { if (f()) reach_error(); return 0; }
