// violated
// Parentheses around a declared name have no meaning.
int (f)(int (x)) { return x + 1; }
int (y) = 3;
int (a[2]) = {1, 2};
int main(void) {
  int (z);
  z = a[1];
  if (f(y) == 4 && z == 2) reach_error();
  return 0;
}
