// refused
extern void reach_error(void);
int main(void) {
  if (f() < 0) reach_error();
  return 0;
}
unsigned char f(void) { return 255; }
