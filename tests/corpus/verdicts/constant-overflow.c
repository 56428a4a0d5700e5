// unknown
// The sum of two constants overflows.
int main(void) { if (2147483647 + 1 < 0 || 2147483647 + 1 > 0) reach_error(); return 0; }
