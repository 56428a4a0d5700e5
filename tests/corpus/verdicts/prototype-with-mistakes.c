// refused
// A constant of an enumeration that is declared twice.
void reach_error(void);
enum E { A, A } f(void);
int main(void) {
    reach_error();
    return 0;
}
