// violated ltl[stuck=never]: G (x /= 1)
// A variable that the formula does not speak of has another value each second round.
int x = 0;
int y = 0;
int main(void) {
    while (1) {
        y = y < 1 ? 1 : 0;
        x = 1;
    }
    return 0;
}
