// holds
// Operands are evaluated from the left to the right.
int g = 1;
int f(void) { g = 5; return 1; }
int main(void) { if (g + f() != 2) reach_error(); return 0; }
