// holds
// A variable exists from the beginning of its block on: skipping its declaration does not change it.
extern void reach_error(void);
int main(void) {
  int i = 0;
  {
  L:
    i++;
    if (i == 2) goto M;
    int y = 7;
    goto L;
  M:
    if (y != 7) reach_error();
  }
  return 0;
}
