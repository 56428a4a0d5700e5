// violated
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned u = __VERIFIER_nondet_uint();
  int a[3] = {0, 7, 0};
  if (u == 0) {
    if (a[(u ? u : u + 4294967295u) + 2u] == 7) reach_error();
  }
  return 0;
}
