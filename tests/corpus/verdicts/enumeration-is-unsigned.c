// violated
// An enumeration without negative values is compatible with unsigned int.
enum colour { RED, GREEN };
int main(void) { enum colour c = RED; if (c - 1 > 0) reach_error(); return 0; }
