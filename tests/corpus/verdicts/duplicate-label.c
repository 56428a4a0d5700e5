// refused
// One label twice in a function.
int main(void) { goto a; a: ; a: reach_error(); return 0; }
