/* The queue lock of Craig, Landin and Hagersten: everyone spins on the one before it.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 2
 */
#include "../parallel.h"

struct node {
	atomic_bool held;
};
static struct node node[3];
static _Atomic(struct node *) tail = &node[0];
static int count;

static void add(struct node *me)
{
	struct node *before;

	store(&me->held, 1, relaxed);
	before = exchange(&tail, me, acq_rel);
	while (load(&before->held, acquire))
		;
	count++;
	store(&me->held, 0, release);
}

static void first(void)
{
	add(&node[1]);
}

static void second(void)
{
	add(&node[2]);
}

int main(void)
{
	parallel(first, second);
	assert(count == 2);
	return 0;
}
