/* A library function that writes to memory and is not modelled is named.
 * expect rc11: inconclusive, says "memfrob"
 */
#define _GNU_SOURCE
#include <string.h>

static char text[8] = "abc";

int main(void)
{
	memfrob(text, 3);
	return 0;
}
