// violated argc >= 5
// holds argc >= 0
int main(int argc, char **argv) { return 0; }
