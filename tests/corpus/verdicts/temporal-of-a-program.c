// violated ltl[stuck=final]: G (x <= 1)
// holds ltl[stuck=final]: F G (x = 2)
// holds ltl[stuck=never]: G (x <= 1)
// The automaton makes the graph of pairs larger than that of the program.
int x = 0;
int main(void) {
    int y = 0;
    x = 1;
    if (y == 0) x = 2;
    return 0;
}
