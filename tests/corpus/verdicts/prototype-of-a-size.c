// violated
// The types of parameters may depend on other parameters, and on constants.
void reach_error(void);
void f(int n, int a[n]);
int g(int a[sizeof(int)]);
int main(void) {
    reach_error();
    return 0;
}
