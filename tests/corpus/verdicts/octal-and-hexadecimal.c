// holds
// Notations of characters and numbers.
int main(void) { if (010 != 8 || 0x1F != 31 || 0b101 != 5 || 0x41 != 65 || 10u - 11u < 0) reach_error(); return 0; }
