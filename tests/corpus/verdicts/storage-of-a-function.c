// refused
void reach_error(void);
int main(void) {
    static int f(void);
    reach_error();
    return 0;
}
