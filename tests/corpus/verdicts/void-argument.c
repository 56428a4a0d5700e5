// refused
extern void reach_error(int);
void f(void) {}
int main(void) { reach_error(f()); return 0; }
