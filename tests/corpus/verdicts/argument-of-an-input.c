// holds
extern int nondet_int(int);
extern void reach_error(void);
int main(void) { int i = 0; int x = nondet_int(i++); if (nondet_int(i++)) x = 0; if (i != 2) reach_error(); return 0; }
