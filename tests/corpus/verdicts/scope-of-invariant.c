// holds i <= 10
// holds G (i <= 10)
// violated i <= 9
// violated G (i <= 9)
// holds k = 3
// holds G (k = 3)
// An invariant is about the states in which its variables exist and have values.
int main(void) {
  int a = __VERIFIER_nondet_int();
  int i = 0;
  while (i < 10) {
    int k = 3;
    i = i + 1;
    if (a == i) a = 0;
  }
  return 0;
}
