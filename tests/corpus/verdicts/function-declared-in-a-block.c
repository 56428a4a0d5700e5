// violated
void reach_error(void);
int main(void) {
    int f(int);
    if (f(30) == 30) reach_error();
    return 0;
}
int f(int c) { return c; }
