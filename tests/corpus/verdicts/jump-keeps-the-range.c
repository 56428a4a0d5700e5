// holds
extern void reach_error(void);
int main(void) { switch (0) { case 0: goto O; unsigned char c = 1; O: if (c > 255) reach_error(); } return 0; }
