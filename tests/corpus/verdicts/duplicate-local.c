// refused
// One variable twice in a block; parameters belong to the outermost one.
int f(int x) { int x = 2; return x; }
int main(void) { if (f(1) == 1) reach_error(); return 0; }
