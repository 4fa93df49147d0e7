/* quasipq.c -- a segmented priority queue that is out of order by FACTOR at most.
 *
 * Adhikari et al. (STTT 2016) verify one and say no more of it than that it is a "segmented
 * linked list implementation".  Here values are kept in order, segments are FACTOR + 1 values
 * each, and there is one lock.  When the first segment is begun it is closed: its values are
 * removed in any order, and only when all are gone does the next segment become the first.  A
 * value that belongs before one of those is not inserted until then: or else it would have
 * to be removed before values that are gone already, again and again.
 *
 *     -DFACTOR=2 -DSEGMENTS=1   it has room for SEGMENTS * (FACTOR + 1) values
 *     -DBUG=1    a removal that finds nothing moves on to the next segment
 *     -DBUG=2    a removal takes a value of any segment
 *     -DBUG=3    the first segment is not closed
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
_Static_assert(BUG >= 0 && BUG <= 3, "there is no such BUG");

void __VERIFIER_assume(int);

enum { SLOTS = FACTOR + 1, ROOM = SEGMENTS * SLOTS };

static unsigned char value[ROOM]; /* the lowest first; 0: none */
static unsigned char values;
static unsigned char first;  /* values of the first segment that are left, if it is begun */
static unsigned char bound;  /* the highest that it had */
static unsigned char skipped; /* with BUG 1: segments */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

LP_SPEC("priority_queue")

LP_METHOD(insert, v)
{
	unsigned at;

	pthread_mutex_lock(&lock);
	__VERIFIER_assume(values < ROOM);
	__VERIFIER_assume(BUG == 3 || !first || v >= bound);
	for (at = values; at > 0 && value[at - 1] > v; at--)
		value[at] = value[at - 1];
	value[at] = (unsigned char)v;
	values++;
	if (BUG == 3 && at < first)
		first++;
	pthread_mutex_unlock(&lock);
	return 1;
}

/* Any of the `count` values from `at` on. */
static int64_t take(unsigned at, unsigned count)
{
	at += lp_choose(count);
	const int64_t v = value[at];
	for (values--; at < values; at++)
		value[at] = value[at + 1];
	value[values] = 0;
	return v;
}

LP_METHOD(remove)
{
	int64_t v = LP_EMPTY;

	pthread_mutex_lock(&lock);
	if (BUG == 2 && values) {
		v = take(0, values);
	} else if (values > skipped * SLOTS) {
		if (!first) {
			first = values < SLOTS ? values : SLOTS;
			bound = value[first - 1];
		}
		v = take(skipped * SLOTS, first);
		if (!--first)
			bound = skipped = 0;
	} else if (BUG == 1) {
		skipped = 1;
	}
	pthread_mutex_unlock(&lock);
	return v;
}
