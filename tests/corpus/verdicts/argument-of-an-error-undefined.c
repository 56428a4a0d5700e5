// unknown
extern void reach_error(int);
int main(void) { int z = 0; reach_error(1 / z); return 0; }
