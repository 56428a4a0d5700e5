// refused x <= 3
// refused G (x <= 3)
// violated y <= 3
// A name that several variables have is no name of one of them.
int main(void) {
  int y = 4;
  { int x = 1; x = 2; }
  { int x = 9; x = 8; }
  return y;
}
