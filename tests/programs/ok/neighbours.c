/* Different elements, fields and bytes are different locations: no race, one execution.
 * expect sc,tso,ra,rc11: verified, executions 1
 */
#include "../parallel.h"

static char byte[2];
static struct {
	short a;
	char b, c;
} s;

static void left(void)
{
	byte[0] = 1;
	s.b = 2;
}

static void right(void)
{
	byte[1] = 3;
	s.c = 4;
	s.a = 5;
}

int main(void)
{
	parallel(left, right);
	assert(byte[0] + byte[1] == 4 && s.a == 5 && s.b == 2 && s.c == 4);
	return 0;
}
