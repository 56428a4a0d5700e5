// unsupported
double nondet(void);
extern void reach_error(void);
int main(void) { if (nondet() > 2147483647) reach_error(); return 0; }
