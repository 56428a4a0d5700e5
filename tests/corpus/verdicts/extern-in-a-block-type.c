// refused
int x;
void reach_error(void);
int main(void) {
    extern long x;
    reach_error();
    return 0;
}
