// unknown
extern void reach_error(void);
int f(int a, int b) { return a - b; }
int main(void) {
  int i = 1;
  if (f(i++, i++)) reach_error();
  return 0;
}
