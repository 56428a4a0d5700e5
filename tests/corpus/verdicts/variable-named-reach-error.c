// refused
// holds reach_error <= 3
// The name of a variable, not a call.
int reach_error;
int main(void) {
  reach_error = 3;
  return 0;
}
