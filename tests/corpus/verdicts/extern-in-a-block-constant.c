// refused
enum { A = 3 };
void reach_error(void);
int main(void) {
    extern int A;
    if (A == 3) reach_error();
    return 0;
}
