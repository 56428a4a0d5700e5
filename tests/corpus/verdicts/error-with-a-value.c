// violated
// The error function may have a result type.
int reach_error(void);
int main(void) {
  if (reach_error()) return 1;
  return 0;
}
