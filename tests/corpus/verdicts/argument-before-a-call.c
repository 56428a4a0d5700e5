// holds
// Arguments are evaluated from the left to the right.
extern void reach_error(void);
int x = 1, g = 1, a[3] = {1, 2, 3};
int h(void) { x = 9; g = 5; return 0; }
int f(int p, int q) { return p; }
int main(void) {
  if (f(a[g], h()) != 2) reach_error();
  if (f(x = 5, h()) != 5) reach_error();
  x = 1;
  if (f(x, h()) != 1 || f(-(x = 7), h()) != -7) reach_error();
  return 0;
}
