// refused
int f(void)[3];
void reach_error(void);
int main(void) {
    reach_error();
    return 0;
}
