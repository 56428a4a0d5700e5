// refused G (@L7 -> X g = 1)
// violated G (@L10 -> X g = 1)
// The line of a function that is called twice is at several locations.
extern int __VERIFIER_nondet_int(void);
int g = 0;
void f(int x) {
  g = x;
}
int main(void) {
  while (1) {
    int n = __VERIFIER_nondet_int();
    f(1); f(2);
  }
}
