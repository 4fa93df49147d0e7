/* What the allocation and string functions promise.
 * expect sc,rc11: verified, executions 1
 * expect rc11 --leaks: verified, executions 1
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *a = calloc(4, 2), *b;

	for (int i = 0; i < 8; i++)
		assert(a[i] == 0);
	strcpy(a, "seven77");
	assert(strlen(a) == 7);
	b = realloc(a, 100);
	assert(b && strcmp(b, "seven77") == 0);
	memmove(b + 1, b, 8);
	assert(memcmp(b, "sseven77", 9) == 0);
	memset(b, 'x', 99);
	b[99] = 0;
	assert(strchr(b, 'y') == NULL && strlen(b) == 99);
	free(b);
	free(NULL);
	b = aligned_alloc(64, 128);
	assert((uintptr_t)b % 64 == 0);
	free(b);
	b = strdup("copy");
	assert(strncmp(b, "cop", 3) == 0);
	free(b);
	return 0;
}
