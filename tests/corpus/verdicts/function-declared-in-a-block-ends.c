// unsupported
// The second call is not in the block of the declaration, so that its argument is not converted.
void reach_error(void);
int main(void) {
    { int f(long long); f(1); }
    if (f(1) == 1) reach_error();
    return 0;
}
int f(long long c) { return c == 1; }
