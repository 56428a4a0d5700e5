// holds
// Arguments are evaluated before the call.
extern void reach_error(int);
extern void abort(void);
int main(void) { reach_error((abort(), 1)); return 0; }
