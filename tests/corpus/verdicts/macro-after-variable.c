// violated
// A macro replaces what comes after its definition, and not what comes before.
int N = 5;
#define N 3
int main(void){ if (N == 3) reach_error(); return 0; }
