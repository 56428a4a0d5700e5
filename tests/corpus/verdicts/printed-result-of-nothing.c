// unknown
// The value of a function that ends without return is used (C17, 6.9.1).
#include <assert.h>
#include <stdio.h>
int f(void) {}
int main(void) {
    printf("%d", f());
    assert(0);
    return 0;
}
