/* What is not modelled counts when it is executed, not when it is mentioned.
 * expect rc11: verified
 * expect rc11 --cc clang: verified
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <string.h>

static atomic_int never;
static char text[8] = "abc";

int main(void)
{
	if (never) {
		memfrob(text, 3);
		__asm__ volatile("lock; incl %0" : "+m"(never));
	}
	return 0;
}
