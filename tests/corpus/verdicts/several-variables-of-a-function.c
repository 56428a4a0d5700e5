// refused f_y <= 3
// refused G (f_y <= 3)
// Two variables of a function have one name.
void f(void) {
  { int y = 1; y = 2; }
  { int y = 9; y = 8; }
}
int main(void) {
  f();
  return 0;
}
