// refused
extern void reach_error(void);
int main(void) { reach_error(5); return 0; }
