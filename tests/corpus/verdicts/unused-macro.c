// refused
// A macro that nothing uses asserts nothing.
#define FAIL reach_error()
#define CHECK(x) assert(x)
int main(void) { return 0; }
