// violated ltl[stuck=never]: (g0 = 2)
// The value before the loop is overwritten when the cycle is taken for the first time.
int g0 = 1;
int main(void) {
while (1) {
for (int i = 0; i < 3; i++) {
g0 = 0;
}
}
return 0;
}
