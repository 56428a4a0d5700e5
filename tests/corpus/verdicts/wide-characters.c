// holds
extern void reach_error(void);
int main(void) {
  if (L'\xff' != 255 || '\xff' != -1 || '\'' != 39 || L'a' != 'a') reach_error();
  return 0;
}
