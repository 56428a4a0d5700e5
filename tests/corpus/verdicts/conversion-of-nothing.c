// refused
extern void reach_error(void);
void f(void) {} int main(void) { int x = (int)f(); if (x) reach_error(); return 0; }
