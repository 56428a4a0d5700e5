// unknown
void reach_error(void);
int g;
int f(void) { g = 1; }
int main(void) {
    !f();
    if (g == 1) reach_error();
    return 0;
}
