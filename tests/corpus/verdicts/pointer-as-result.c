// unsupported
int *f(void) { return 0; }
int main(void) {
  if (f() == 0) reach_error();
  return 0;
}
