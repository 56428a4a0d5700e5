// unsupported
// A variable, not a function.
int (*f)(int);
int main(void) {
  if (f == 0 || f(1)) reach_error();
  return 0;
}
