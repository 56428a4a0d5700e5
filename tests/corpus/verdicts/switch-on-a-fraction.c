// unsupported
// The body is read nevertheless: its label exists.
void reach_error(void);
int main(void) {
    int x = 0;
    switch (1.5) { L: x = 1; }
    if (x == 0) goto L;
    reach_error();
    return 0;
}
