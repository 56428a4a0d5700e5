// unsupported
extern void reach_error(void);
enum E { A, B } __attribute__((packed));
int main(void) { enum E e; if (sizeof(e) == 1) reach_error(); return 0; }
