// holds
// Braces belong to the outermost part that begins at their position.
extern void reach_error(void);
int a[2][2] = {1, {2}};
int b[2][2][2] = {1, 2, {3}, {{5}, 6}};
int main(void) {
  int c[2][2] = {1, {2}, 3};
  if (a[0][1] != 2 || a[1][0] != 0) reach_error();
  if (b[0][0][1] != 2 || b[0][1][0] != 3 || b[0][1][1] != 0) reach_error();
  if (b[1][0][0] != 5 || b[1][0][1] != 0 || b[1][1][0] != 6) reach_error();
  if (c[0][1] != 2 || c[1][0] != 3) reach_error();
  return 0;
}
