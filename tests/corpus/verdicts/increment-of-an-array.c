// refused
void reach_error(void);
int main(void) {
    int a[2] = {0, 0};
    a++;
    a += 3;
    if (a[0] == 4) reach_error();
    return 0;
}
