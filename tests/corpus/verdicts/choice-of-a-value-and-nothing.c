// violated
extern void reach_error(void);
void g(void) {} int main(void) { 1 ? g() : 1; reach_error(); return 0; }
