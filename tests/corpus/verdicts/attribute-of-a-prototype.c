// unsupported
extern void reach_error(void);
int g; void init(void) __attribute__((constructor));
void init(void) { g = 1; }
int main(void) { if (g) reach_error(); return 0; }
