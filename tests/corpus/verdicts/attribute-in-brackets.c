// unsupported
extern void reach_error(void);
int main(void) { int (__attribute__((mode(QI))) b) = 300; if (b == 44) reach_error(); return 0; }
