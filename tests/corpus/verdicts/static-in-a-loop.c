// refused
extern void reach_error(void);
int main(void) { for (static int i = 0; i < 1; i++) reach_error(); return 0; }
