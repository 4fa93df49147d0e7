/* Copying a structure reads all of its fields.
 * expect rc11: violation race at BUG
 */
#include "../parallel.h"

struct big {
	int field[10];
};
struct big from, to;

static void copy(void)
{
	to = from; /* BUG */
}

static void change(void)
{
	from.field[7] = 1; /* BUG */
}

int main(void)
{
	parallel(copy, change);
	return 0;
}
