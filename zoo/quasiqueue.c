/* quasiqueue.c -- a segmented queue that is out of order by FACTOR at most.
 *
 * As modelled by Adhikari et al. (STTT 2016) after Afek, Korland and Yanovsky (OPODIS 2010): a
 * list of segments of FACTOR + 1 slots.  Values are inserted in order; any value of the first
 * segment may be removed; only when all of its slots were filled and emptied does the next
 * segment become the first.  Here segments are an array, in which they then move up, and there
 * is one lock.
 *
 *     -DFACTOR=2 -DSEGMENTS=1   it has room for SEGMENTS * (FACTOR + 1) values
 *     -DBUG=1    a removal that finds nothing moves on to the next segment
 *     -DBUG=2    a removal takes a value of any segment
 */
#include <linchpin.h>
#include <pthread.h>

#ifndef FACTOR
#define FACTOR 2
#endif
#ifndef SEGMENTS
#define SEGMENTS 1
#endif
_Static_assert(FACTOR >= 0 && FACTOR < 255 && SEGMENTS >= 1, "places are counted in bytes");
#ifndef BUG
#define BUG 0
#endif
_Static_assert(BUG >= 0 && BUG <= 2, "there is no such BUG");

void __VERIFIER_assume(int);

/* One segment more than values need: a full queue's first one may be half empty. */
enum { SLOTS = FACTOR + 1, MOST = SEGMENTS + 1 };

static struct segment {
	unsigned char value[SLOTS]; /* 0: none */
	unsigned char filled, taken;
} segment[MOST];
static unsigned first; /* 0, but for BUG 1 */
static unsigned last, values;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

LP_SPEC("queue")

LP_METHOD(enqueue, v)
{
	pthread_mutex_lock(&lock);
	__VERIFIER_assume(values < SEGMENTS * SLOTS);
	if (segment[last].filled == SLOTS) {
		__VERIFIER_assume(last + 1 < MOST);
		last++;
	}
	segment[last].value[segment[last].filled++] = (unsigned char)v;
	values++;
	pthread_mutex_unlock(&lock);
	return 1;
}

/* Any of the values of a segment. */
static int64_t take(struct segment *s)
{
	unsigned nth = lp_choose((unsigned)(s->filled - s->taken)), i = 0;

	for (;; i++)
		if (s->value[i] && !nth--)
			break;
	const int64_t v = s->value[i];
	s->value[i] = 0;
	s->taken++;
	values--;
	return v;
}

/* It was filled and emptied: those behind it move up. */
static void drop(unsigned at)
{
	for (; at < last; at++)
		segment[at] = segment[at + 1];
	segment[last] = (struct segment){ .filled = 0 };
	if (last)
		last--;
}

/* Any segment with values. */
static unsigned any_segment(void)
{
	unsigned count = 0, at = 0;

	for (unsigned i = 0; i < MOST; i++)
		count += segment[i].filled > segment[i].taken;
	for (unsigned nth = lp_choose(count);; at++)
		if (segment[at].filled > segment[at].taken && !nth--)
			break;
	return at;
}

LP_METHOD(dequeue)
{
	int64_t v = LP_EMPTY;

	pthread_mutex_lock(&lock);
	unsigned at = first;
	if (BUG == 2 && values)
		at = any_segment();
	if (segment[at].filled > segment[at].taken) {
		v = take(&segment[at]);
		if (segment[at].taken == SLOTS)
			drop(at);
	} else if (BUG == 1) {
		first = (first + 1) % MOST;
	}
	pthread_mutex_unlock(&lock);
	return v;
}
