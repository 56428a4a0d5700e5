// violated
extern void reach_error(void);
int f(int k) { goto A; while (1) { A: goto L; int x = 3; L: if (k == 0) x = 5; return x; } return 0; }
int main(void) { f(0); if (f(1) == 7) reach_error(); return 0; }
