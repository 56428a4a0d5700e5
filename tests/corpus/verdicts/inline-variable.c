// refused
extern void reach_error(void);
inline int x; int main(void) { if (x) reach_error(); return 0; }
