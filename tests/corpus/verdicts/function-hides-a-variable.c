// violated
void reach_error(void);
int main(void) {
    int f = 3;
    {
        int f(int);
        if (f(2) == 3) reach_error();
    }
    return f;
}
int f(int x) { return x + 1; }
