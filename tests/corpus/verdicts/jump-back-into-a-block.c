// violated
// A block that is entered again has new variables.
extern void reach_error(void);
int main(void) {
  int i = 0;
  {
    int y;
    y = 5;
  L:
    if (i == 1 && y == 7) reach_error();
  }
  if (i == 0) { i = 1; goto L; }
  return 0;
}
