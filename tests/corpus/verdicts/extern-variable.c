// violated
// A variable defined elsewhere has an arbitrary value.
extern int v;
int main(void){ if (v) reach_error(); return 0; }
