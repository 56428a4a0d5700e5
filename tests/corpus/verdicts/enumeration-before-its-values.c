// refused
extern void reach_error(void);
int main(void) { enum E e = 0; if (e) reach_error(); return 0; } enum E { A };
