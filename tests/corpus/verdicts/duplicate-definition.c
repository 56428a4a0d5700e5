// refused
// One variable with two initial values.
int x = 1;
int x = 2;
int main(void) { if (x == 1) reach_error(); return 0; }
