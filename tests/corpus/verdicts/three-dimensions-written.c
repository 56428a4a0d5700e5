// violated
extern void reach_error(void);
int a[2][2][2];
int main(void) {
  int i = 1;
  a[i][0][1] = 7;
  if (a[1][0][1] == 7) reach_error();
  return 0;
}
