// refused
extern void reach_error(void);
int main(void) { int x = 1; int y = (int[2])x; if (y) reach_error(); return 0; }
