// refused
extern void reach_error(void);
int main(void) { switch (2) { case (1, 2): reach_error(); } return 0; }
