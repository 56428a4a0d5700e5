// unsupported
extern void reach_error(void);
#define N 1
#pragma push_macro("N")
#undef N
#define N 2
#pragma pop_macro("N")
int main(void) { if (N == 1) reach_error(); return 0; }
