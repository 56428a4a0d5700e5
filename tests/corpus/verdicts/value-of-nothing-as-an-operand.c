// unknown
// The operators use the value that f does not return (C17, 6.9.1).
void reach_error(void);
int g;
int f(void) { g = 1; }
int main(void) {
    1 && f();
    if (g == 1) reach_error();
    return 0;
}
