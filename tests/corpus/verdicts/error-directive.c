// refused
#ifndef MODE
#error "define MODE"
#endif
int main(void) { if (0) reach_error(); return 0; }
