// unknown
// Two changes of one variable without an order: undefined.
extern void reach_error(void);
int main(void) {
  int i = 0;
  i = i++;
  reach_error();
  return 0;
}
