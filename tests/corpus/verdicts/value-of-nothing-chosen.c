// unknown
// The value that f does not return is converted to the type of both operands (C17, 6.5.15).
void reach_error(void);
int g;
int f(void) { g = 1; }
int main(void) {
    1 ? f() : 0;
    if (g == 1) reach_error();
    return 0;
}
