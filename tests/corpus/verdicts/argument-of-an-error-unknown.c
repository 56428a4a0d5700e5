// refused
extern void reach_error(int);
int main(void) { reach_error(nosuch); return 0; }
