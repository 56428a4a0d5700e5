// refused
// holds i <= 1
// The definition of the error function is not a call of it.
extern void __assert_fail(const char *what, const char *file, unsigned line, const char *function);
void reach_error(void) { __assert_fail("0", "a.c", 5, "reach_error"); }
int main(void) {
  int i = 1;
  return 0;
}
