// violated x >= 5
// violated G (x >= 5)
// holds G (x >= 5 or x < 5)
// The variable has a value from the beginning, whatever it is.
extern int x;
int main(void) {
    int y = 0;
    x = 7;
    y = 1;
    return 0;
}
