/* An atomic structure of 8 bytes is read and written as a whole.
 * expect sc,rc11: verified, executions 3
 */
#include "../parallel.h"

struct point {
	int x, y;
};
static _Atomic struct point p;

static void move(void)
{
	store(&p, ((struct point){ 1, 1 }), release);
	store(&p, ((struct point){ 2, 2 }), release);
}

static void look(void)
{
	struct point seen = load(&p, acquire);

	assert(seen.x == seen.y);
}

int main(void)
{
	parallel(move, look);
	return 0;
}
