// unsupported
extern void reach_error(void);
int main(void) {
  int x = 1;
  // what??/
  x = 2;
  if (x == 2) reach_error();
  return 0;
}
