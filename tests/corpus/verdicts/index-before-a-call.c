// violated
// The index is evaluated before the call that changes its variable.
extern void reach_error(void);
int i = 0;
int a[3];
int f(void) { i = 2; return 1; }
int main(void) {
  a[i] = f();
  if (a[0] == 1 && a[2] == 0) reach_error();
  return 0;
}
