// unsupported
extern void reach_error(void);
int f(int x __attribute__((mode(QI)))) { return x; }
int main(void) { if (f(300) == 44) reach_error(); return 0; }
