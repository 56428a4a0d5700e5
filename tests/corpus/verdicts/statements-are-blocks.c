// holds
// Statements that select or repeat are blocks, and so are their parts.
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void abort(void);
enum { A = 1 };
int main(void) {
  int i = 0;
  if (sizeof(enum { A = 2 }) == 4) {}
  while (i < 1 && sizeof(enum { A = 3 }) == 4) i = i + (int)sizeof(enum { A = 4 });
  if (A != 1) reach_error();
  return 0;
}
