// violated
extern void reach_error(void);
int main(void) {
  int i = 0;
T:
  goto A;
  {
  A:
    goto B;
    int x = 1;
  B:
    if (i == 0) x = 5;
    else if (x == 7) reach_error();
  }
  i++;
  if (i < 2) goto T;
  return 0;
}
