// violated
// A block that is entered by a jump has new variables, too.
extern void reach_error(void);
int main(void) {
  for (int i = 0; i < 2; i++)
    switch (0) {
    case 0:
      goto L;
      int x = 1;
    L:
      if (i == 0) x = 5;
      else if (x == 7) reach_error();
    }
  return 0;
}
