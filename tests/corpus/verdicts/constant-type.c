// refused
extern void reach_error(void);
typedef const int fixed;
fixed x = 1;
int main(void) { x = 2; if (x == 2) reach_error(); return 0; }
