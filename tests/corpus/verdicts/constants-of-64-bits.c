// violated
void reach_error(void);
unsigned long long u = 0xffffffff00000000ULL | 5;
int main(void) {
    if (u == 0xffffffff00000005ULL && (0xf0f0f0f0f0f0f0f0ULL & -1) == 0xf0f0f0f0f0f0f0f0ULL) reach_error();
    return 0;
}
