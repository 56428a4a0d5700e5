// holds
// The line of a macro is that of its name, the line in an argument its own.
extern void reach_error(void);
#define F(a, b) __LINE__
#define G(a) a
#define H __LINE__
int main(void) {
  if (F(1,
        2) != 8) reach_error();
  if (G(
        __LINE__
        ) != 11) reach_error();
  if (G(
        H
        ) != 14) reach_error();
  return 0;
}
