// refused
// Lines are renumbered after this directive, so their numbers are not known.
int main(void) {
#line 100
  if (__LINE__ != 100) reach_error();
  return 0;
}
