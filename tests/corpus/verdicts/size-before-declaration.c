// refused
extern void reach_error(void);
int main(void) { if (sizeof(x) == 4) reach_error(); return 0; } int x;
