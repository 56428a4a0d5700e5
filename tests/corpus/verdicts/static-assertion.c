// refused
// The assertion fails at compile time.
_Static_assert(sizeof(int) == 8, "wide");
int main(void) { if (0) reach_error(); return 0; }
