// violated
extern void reach_error(void);
int main(void) {
  for (int i = 0; i < 2; i++) switch (i) {
    int y;
  case 0: y = 5; break;
  default: if (y == 7) reach_error();
  }
  return 0;
}
