// violated ltl[stuck=never]: G (x /= 1)
// A variable that is not in the formula alternates between two values.
int x = 0;
int y = 0;
int main(void) {
    while (1) {
        y = y < 1 ? 1 : 0;
        x = 1;
    }
    return 0;
}
