// refused
// A const object cannot be assigned.
int main(void) { const int x = 1; x = 2; if (x == 2) reach_error(); return 0; }
