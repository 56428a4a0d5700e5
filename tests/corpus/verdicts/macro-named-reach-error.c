// holds
// What is called is what the macro gives.
#define reach_error() ((void)0)
int main(void){ reach_error(); return 0; }
