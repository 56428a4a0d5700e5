// refused
int f(void);
static int f(void) { return 1; }
void reach_error(void);
int main(void) {
    reach_error();
    return f();
}
