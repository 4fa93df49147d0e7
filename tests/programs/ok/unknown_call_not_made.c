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
#if defined(__x86_64__)
		__asm__ volatile("lock; btsl $3, %0" : "+m"(never));
#else
		__asm__ volatile("dc zva, %0" : : "r"(&never) : "memory");
#endif
	}
	return 0;
}
