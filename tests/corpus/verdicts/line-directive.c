// refused
// Lines have other numbers after this directive; there the number of a line is not known.
int main(void) {
#line 100
  if (__LINE__ != 100) reach_error();
  return 0;
}
