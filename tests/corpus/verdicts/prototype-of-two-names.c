// refused
void reach_error(void);
void f(int n, int n);
int main(void) {
    reach_error();
    return 0;
}
