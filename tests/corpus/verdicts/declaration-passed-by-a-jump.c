// violated
extern void reach_error(void);
int main(void) {
  for (int i = 0; i < 2; i++) {
    goto L;
    int a[1];
  L:
    if (i == 0) a[0] = 5;
    else if (a[0] == 7) reach_error();
  }
  return 0;
}
