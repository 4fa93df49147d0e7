/* swab() exchanges the bytes of pairs, and leaves a byte without a partner alone.
 * expect sc,rc11: verified
 */
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char to[5] = "-----";

	swab("abcde", to, 5);
	assert(!memcmp(to, "badc-", 5));
	swab("xy", to, -2);
	assert(!memcmp(to, "badc-", 5));
	return 0;
}
