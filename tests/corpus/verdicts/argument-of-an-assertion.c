// violated
extern void __VERIFIER_assert(int);
int main(void) {
  long long x = 4294967296LL;
  __VERIFIER_assert(x);
  return 0;
}
