// refused
extern void reach_error(void);
extern int x;
static int x = 3;
int main(void) { if (x == 3) reach_error(); return 0; }
