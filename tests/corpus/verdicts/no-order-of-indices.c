// unknown
extern void reach_error(void);
int b[3][3];
int main(void) {
  int i = 0;
  b[i++][i] = 2;
  reach_error();
  return 0;
}
