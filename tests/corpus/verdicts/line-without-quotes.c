// refused error-location-unreachable
// The name of a file is in quotes (C17, 6.10.4).
extern void reach_error(void);
#line 100 foo
int main(void) { reach_error(); return 0; }
