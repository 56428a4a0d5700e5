// unsupported
extern void reach_error(void);
int main(void) {
  int n = 3;
  int a[n];
  a[0] = 1;
  if (a[0] == 1) reach_error();
  return 0;
}
