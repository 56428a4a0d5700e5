// refused
int b;
int a = 0 ? b++ : 1;
void reach_error(void);
int main(void) {
    reach_error();
    return a;
}
