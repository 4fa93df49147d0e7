/* quasiqueue.c -- a segmented queue that is out of order by FACTOR at most.
 *
 * As modelled by Adhikari et al. (STTT 2016) after Afek, Korland and Yanovsky (OPODIS 2010): a
 * list of segments of FACTOR + 1 slots.  Values are inserted in order; any value of the first
 * segment may be removed; only when all of its slots were filled and emptied does the next
 * segment become the first.  Here segments are an array, in which they then move up, and there
 * is one lock.
 *
 *     -DFACTOR=2 -DSEGMENTS=1   it has room for SEGMENTS * (FACTOR + 1) values
 *     -DMANUAL   the specification is relaxed by hand: a queue whose values form clusters of FACTOR + 1, and a removal
 *                takes any value of the first cluster.  The property is then linearizability
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

#ifdef MANUAL
#include <linchpin/spec.h>

/* The state: how many values of the first cluster are gone, then the values, front to back. */
static enum lp_answer add_value(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count)
		lp_state_push(s, 0);
	lp_state_push(s, c->arg[0]);
	return lp_answers(c, 1);
}

static enum lp_answer take_value(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->count < 2)
		return c->choice ? LP_REJECTS : lp_answers(c, LP_EMPTY);
	if (c->choice >= s->count - 1 || (int64_t)c->choice >= SLOTS - s->at[0])
		return LP_REJECTS;
	/* If the result is known, the first equal value is as good as any other: clusters have no order. */
	uint32_t at = 1 + c->choice;
	while (c->result && at < s->count && at <= SLOTS - s->at[0] && s->at[at] != c->result[0])
		at++;
	if (at == s->count || at > SLOTS - s->at[0] || (c->result && c->choice))
		return LP_REJECTS;
	const int64_t value = s->at[at];
	lp_state_remove(s, at);
	s->at[0] = (s->at[0] + 1) % SLOTS;
	if (s->count == 1 && !s->at[0])
		s->count = 0;
	return lp_answers(c, value);
}

static const struct lp_method methods[] = {
	{ "enqueue", 1, LP_SUCCESS, LP_INSERTS, add_value },
	{ "dequeue", 0, LP_VALUE_OR_EMPTY, LP_REMOVES | LP_OBSERVES | LP_CHOOSES, take_value },
};
static const struct lp_kind clusters = {
	.name = "clusters", .about = "first in, first out, but for the order within clusters",
	.data = LP_DATA_EQUALITY, .methods = methods, .method_count = 2,
};
LP_SPEC_OWN(clusters)
#else
LP_SPEC("queue")
#endif

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
