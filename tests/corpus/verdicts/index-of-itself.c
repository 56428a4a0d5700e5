// violated
// The value of an assignment is that of the element that was assigned, though its index reads the element.
extern void reach_error(void);
int a[4] = {0, 2, 3, 0}, b[4] = {1, 1, 0, 0};
int main(void) {
  int r = (a[a[0]] = 2), s = ++b[b[1]];
  if (r == 2 && s == 2) reach_error();
  return 0;
}
