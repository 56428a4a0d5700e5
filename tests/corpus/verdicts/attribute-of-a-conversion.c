// unsupported
extern void reach_error(void);
int main(void) { if ((int __attribute__((mode(QI))))300 == 44) reach_error(); return 0; }
