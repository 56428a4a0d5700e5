// violated
// Operators that order their operands: all of this is defined.
extern void reach_error(void);
int main(void) {
  int i = 0, j = 0, a[3] = {1, 2, 3};
  i = (i++, i);
  i && i++;
  j = i + 1;
  a[0] = a[1]++;
  a[i - 2] = a[1] + (j = 4);
  if (i == 2 && j == 4 && a[1] == 3 && a[0] == 7) reach_error();
  return 0;
}
