// unknown
extern int printf(const char *, ...);
extern void reach_error(void);
int main(void) {
  int x = 2147483647;
  printf("%d\n", x + 1);
  reach_error();
  return 0;
}
