// violated
// The value of a function that ends without one is not used here.
extern void reach_error(void);
int f(void) { }
int main(void) { int x = (f(), 1); if (x) reach_error(); return 0; }
