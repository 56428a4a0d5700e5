// refused
void reach_error(void);
int main(void) {
    int a = {};
    if (a == 0) reach_error();
    return 0;
}
