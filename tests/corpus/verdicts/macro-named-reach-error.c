// holds
// The call is the expansion of the macro.
#define reach_error() ((void)0)
int main(void){ reach_error(); return 0; }
