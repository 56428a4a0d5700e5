// violated
// A variable that is defined elsewhere has any value.
extern int v;
int main(void){ if (v) reach_error(); return 0; }
