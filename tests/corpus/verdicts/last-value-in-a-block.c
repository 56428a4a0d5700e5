// violated k <= 11
// violated G (k <= 11)
// violated s <= 10
// refused G (x <= i)
// holds x <= i
// The last value in a block is a value, though a jump leads on from there. Where runs end is no state of such a variable.
int main(void) {
  int x = 0;
  { int k = 1; k = 100; }
  { int i = 0; x = i; }
  for (int j = 0; j < 3; j++) { int s = j; s = s + 50; }
  x = 7;
  return 0;
}
