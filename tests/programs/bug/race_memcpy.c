/* memcpy reads every byte it copies.
 * expect rc11: violation race
 */
#include <string.h>

#include "../parallel.h"

static char from[16] = "hello", to[16];

static void copy(void)
{
	memcpy(to, from, sizeof to);
}

static void change(void)
{
	from[15] = 'x';
}

int main(void)
{
	parallel(copy, change);
	return 0;
}
