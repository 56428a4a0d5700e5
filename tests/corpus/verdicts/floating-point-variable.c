// unsupported
// A variable with an unsupported declaration is not an unknown name where it is used.
float q;
int main(void) {
  q = 1;
  if (q > 2) reach_error();
  return 0;
}
