// unsupported
// A pointer, although the star is inside of brackets.
int (*p);
int main(void) {
  if (p == 0) reach_error();
  return 0;
}
