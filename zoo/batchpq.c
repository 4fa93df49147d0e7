/* batchpq.c -- a lock-free priority queue that is out of order by less than the size of a batch.
 *
 * What quasipq.c does under a lock.  The SIZE lowest values form a batch; removals take any value of it, each by a
 * compare-and-swap of its own.  Only when all are taken do the next values become the batch.  The other values are
 * a sorted list, which is never changed: `top` points to a version that has the batch and the list, and a call that inserts a value,
 * or begins a batch, replaces it by another version.
 *
 * A value that belongs before the last one of a batch is not inserted while values of the batch are left: it would have to be
 * removed before values that are gone already, again and again.
 *
 *     -DSIZE=2   values in a batch: quasi:remove=1
 *     -DROOM=3   values in the list: an insertion that finds no room is not made
 *     -DBUG=1    the batch is not closed: lower values are inserted at any time
 *     -DBUG=2    a removal takes its value by a store
 *     -DBUG=3    a removal does not look whether its version is still the current one before it says "empty"
 *
 * All accesses are seq_cst; where a removal starts at a random value, all are tried.
 */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef SIZE
#define SIZE 2
#endif
#ifndef ROOM
#define ROOM 3
#endif
#ifndef BUG
#define BUG 0
#endif
_Static_assert(SIZE >= 1 && ROOM >= SIZE, "there is room for a batch of at least one value");
_Static_assert(BUG >= 0 && BUG <= 3, "there is no such BUG");

void __VERIFIER_assume(int);

struct batch {
	_Atomic long cell[SIZE]; /* 0: taken, or none */
	long bound;              /* the highest value that it had */
};

struct version {
	struct batch *batch;
	unsigned char count, value[ROOM]; /* the lowest first */
};

static _Atomic(struct version *) top;

static struct version *copy_of(const struct version *v)
{
	struct version *copy = malloc(sizeof *copy);

	*copy = *v;
	return copy;
}

static bool replace(struct version *from, struct version *to)
{
	return atomic_compare_exchange_strong(&top, &from, to);
}

static unsigned values_left(struct batch *b)
{
	unsigned count = 0;

	for (unsigned i = 0; i < SIZE; i++)
		count += atomic_load(&b->cell[i]) != 0;
	return count;
}

/* Any value of the batch; 0 if there is none. */
static long take(struct batch *b)
{
	const unsigned first = SIZE > 1 ? lp_choose(SIZE) : 0;

	for (unsigned i = 0; i < SIZE; i++) {
		_Atomic long *cell = &b->cell[(first + i) % SIZE];
		long value = atomic_load(cell);
		if (BUG == 2 && value) {
			atomic_store(cell, 0);
			return value;
		}
		if (value && atomic_compare_exchange_strong(cell, &value, 0))
			return value;
	}
	return 0;
}

/* The lowest values become the batch. */
static void begin_batch(struct version *v)
{
	struct version *next = copy_of(v);
	struct batch *b = calloc(1, sizeof *b);
	const unsigned count = v->count < SIZE ? v->count : SIZE;

	for (unsigned i = 0; i < count; i++)
		atomic_init(&b->cell[i], v->value[i]);
	b->bound = v->value[count - 1];
	next->batch = b;
	next->count = (unsigned char)(v->count - count);
	memset(next->value, 0, sizeof next->value);
	for (unsigned i = 0; i < next->count; i++)
		next->value[i] = v->value[count + i];
	replace(v, next);
}

LP_SPEC("priority_queue")
LP_GC

LP_SETUP
{
	struct version *v = calloc(1, sizeof *v);

	v->batch = calloc(1, sizeof *v->batch);
	atomic_init(&top, v);
}

LP_METHOD(insert, value)
{
	for (;;) {
		struct version *v = atomic_load(&top);
		unsigned at = v->count;
		__VERIFIER_assume(v->count < ROOM);
		__VERIFIER_assume(BUG == 1 || value >= v->batch->bound || !values_left(v->batch));
		struct version *next = copy_of(v);
		for (; at > 0 && v->value[at - 1] > value; at--)
			next->value[at] = v->value[at - 1];
		next->value[at] = (unsigned char)value;
		next->count++;
		if (replace(v, next))
			return LP_VOID;
	}
}

LP_METHOD(remove)
{
	for (;;) {
		struct version *v = atomic_load(&top);
		const long value = take(v->batch);
		if (value)
			return value;
		if (v->count)
			begin_batch(v);
		else if (BUG == 3 || v == atomic_load(&top))
			return LP_EMPTY;
	}
}
