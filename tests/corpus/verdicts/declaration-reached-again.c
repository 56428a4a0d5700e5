// violated
// Elements without a value have any value each time their declaration is reached.
extern void reach_error(void);
int main(void) {
  int i = 0;
L:;
  int a[2];
  if (i == 0) { a[0] = 5; a[1] = 1; i = 1; goto L; }
  if (a[0] == 7) reach_error();
  return 0;
}
