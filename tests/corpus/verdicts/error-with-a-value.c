// violated
// The function that is the error may have a type.
int reach_error(void);
int main(void) {
  if (reach_error()) return 1;
  return 0;
}
