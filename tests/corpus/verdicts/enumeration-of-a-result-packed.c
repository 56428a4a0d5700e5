// unsupported
// The condition names a constant of an enumeration that is not supported: its statement must not disappear.
int dummy __attribute__((packed));
enum E { A = 1 } f(void);
void reach_error(void);
int main(void) {
    if (A) reach_error();
    return 0;
}
