// holds x_2 <= 3
// violated x_2 <= 2
// Two variables of one name in blocks do not take the name of a third one.
int main(void) {
  { int x = 1; x = 2; }
  { int x = 9; x = 8; }
  int x_2 = 3;
  x_2 = 2;
  return 0;
}
