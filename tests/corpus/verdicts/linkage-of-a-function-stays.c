// violated
static int f(void);
int f(void) { return 1; }
void reach_error(void);
int main(void) {
    if (f()) reach_error();
    return 0;
}
