/* arrayqueue.c -- the array queue of Shann, Huang and Chen (ICPADS 2000).
 *
 * A ring of slots, each a value and a reference count that change together, and two counters
 * that only grow.  A thread that finds the slot at REAR full, or the one at FRONT empty,
 * takes it for an operation that is not finished, and moves the counter for it.  But it has
 * read the slot before it found out whether the queue is empty or full: what it saw may have
 * been right at the time.  Colvin and Groves (ICECCS 2005) look at the slot once more.
 *
 *     -DSIZE=2     slots
 *     -DROUNDS=5   no more than so many values are ever inserted: counters are finite
 *     -DFIXED      with the second look; -DFIXED_ENQUEUE, -DFIXED_DEQUEUE: only there
 */
#include <linchpin.h>
#include <stdatomic.h>

#ifndef SIZE
#define SIZE 2
#endif
#ifndef ROUNDS
#define ROUNDS 5
#endif
#ifdef FIXED
#define FIXED_ENQUEUE
#define FIXED_DEQUEUE
#endif
#ifdef FIXED_ENQUEUE
#define ENQUEUE_LOOKS 1
#else
#define ENQUEUE_LOOKS 0
#endif
#ifdef FIXED_DEQUEUE
#define DEQUEUE_LOOKS 1
#else
#define DEQUEUE_LOOKS 0
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

void __VERIFIER_assume(int);

/* The value, 0 if there is none, and the reference count above it. */
static _Atomic unsigned slot[SIZE];
static _Atomic unsigned front, rear;

static unsigned value(unsigned x) { return x & 0xff; }
static unsigned with(unsigned x, unsigned v) { return ((x >> 8) + 1) << 8 | v; }

LP_SPEC("queue:bounded=" TEXT(SIZE))

LP_METHOD(enqueue, v)
{
	for (;;) {
		unsigned r = rear;
		__VERIFIER_assume(r < ROUNDS);
		unsigned x = slot[r % SIZE];
		if (r != rear)
			continue;
		if (r == front + SIZE)
			return 0;
		if (!value(x)) {
			if (atomic_compare_exchange_strong(&slot[r % SIZE], &x, with(x, (unsigned)v))) {
				atomic_compare_exchange_strong(&rear, &r, r + 1);
				return 1;
			}
		} else if (!ENQUEUE_LOOKS || slot[r % SIZE] == x) {
			atomic_compare_exchange_strong(&rear, &r, r + 1);
		}
	}
}

LP_METHOD(dequeue)
{
	for (;;) {
		unsigned f = front;
		unsigned x = slot[f % SIZE];
		if (f != front)
			continue;
		if (f == rear)
			return LP_EMPTY;
		if (value(x)) {
			if (atomic_compare_exchange_strong(&slot[f % SIZE], &x, with(x, 0))) {
				const unsigned v = value(x);
				atomic_compare_exchange_strong(&front, &f, f + 1);
				return v;
			}
		} else if (!DEQUEUE_LOOKS || slot[f % SIZE] == x) {
			atomic_compare_exchange_strong(&front, &f, f + 1);
		}
	}
}
