// refused
extern void reach_error(void);
int main(void) {
  x = 3;
  if (x == 3) reach_error();
  return 0;
}
int x;
