// refused
// An unused macro is not an assertion.
#define FAIL reach_error()
#define CHECK(x) assert(x)
int main(void) { return 0; }
