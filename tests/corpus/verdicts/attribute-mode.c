// unsupported
extern void reach_error(void);
int x __attribute__((mode(QI)));
int main(void) { x = 300; if (x != 300) reach_error(); return 0; }
