// refused
extern void reach_error(void);
enum E { A }; enum E { B }; int main(void) { if (A) reach_error(); return 0; }
