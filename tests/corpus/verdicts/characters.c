// holds
// Escapes of characters, which have a sign.
int main(void) { if ('\x41' != 65 || '\101' != 'A' || '\n' != 10 || '\377' != -1 || '\0' != 0) reach_error(); return 0; }
