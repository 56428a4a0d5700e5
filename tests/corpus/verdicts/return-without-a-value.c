// refused
extern void reach_error(void);
int f(int x) { if (x) return; return 5; }
int main(void) {
  if (f(1) == 0) reach_error();
  return 0;
}
