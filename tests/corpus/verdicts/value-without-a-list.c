// refused
extern void reach_error(void);
int a[2] = 5;
int main(void) { if (a[0] == 5) reach_error(); return 0; }
