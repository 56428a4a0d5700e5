// holds x_2 <= 3
// violated x_2 <= 2
// The names generated for two variables of one name do not collide with a third variable.
int main(void) {
  { int x = 1; x = 2; }
  { int x = 9; x = 8; }
  int x_2 = 3;
  x_2 = 2;
  return 0;
}
