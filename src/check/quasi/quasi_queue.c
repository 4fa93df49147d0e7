/* quasi_queue.c -- quasi-linearizability of a plain queue: only the dequeues are placed.
 *
 * Suppose that enqueues keep their order, no value is enqueued twice, and dequeues may be out of order.  Then it is enough to
 * choose the order of the dequeues in P and in R (quasi.h).  R removes a value x at a place iff
 *
 *   V1  no value that is still there was enqueued by a call that ended before that of x began;
 *   V2  no dequeue that is at this place of P or later ended before the enqueue of x began;
 *
 * and a dequeue finds nothing iff
 *
 *   V3  no dequeue that is in P by then began after the end of the enqueue of a value that is still present.
 *
 * These conditions are necessary.  They are also sufficient.  Order the enqueues as R removes their values; values
 * that stay come last, in the order of the history.  Put each enqueue before the dequeue in whose place its value is
 * removed, and after the dequeues that found nothing before that.  If this order and that of the history had a cycle
 * together, a shortest one would alternate between the two.  Since precedence between calls is an interval order, it
 * would have only two calls, which V1 to V3 exclude.
 *
 * So states need not contain the values in all orders that the enqueues may have had, which are too many for
 * quasi.c.  The search remembers the dequeues in P, and the owed calls and values.
 */
#include "check/quasi/quasi.h"

#include <string.h>

#include "base/fingerprints.h"
#include "base/hash.h"
#include "base/vec.h"
#include "check/history/search.h"
#include "check/sort.h"
#include "spec/traits.h"

enum { NONE = UINT32_MAX, MOST_DEQUEUES = 20000 };

/* Something owed: LATER, a dequeue of P; or SOONER, a value that R has removed. */
struct owed {
	uint32_t what, place;
};

struct owing {
	LP_VEC(struct owed);
};

struct value {
	uint32_t start, end; /* of its enqueue */
	uint32_t op;         /* the dequeue that returns it, or NONE */
	bool gone;           /* R has removed it */
};

/* Where searches begin: everything before is placed, or gone. */
struct from {
	uint32_t start, end, value;
};

struct queue {
	const struct lp_problem *p;
	const struct lp_search_limits *limits;
	struct lp_history_search *found;
	uint32_t factor;
	struct value *values; /* by start */
	uint32_t value_count;
	uint32_t *by_start, *by_end, count; /* dequeues */
	uint32_t *value_of;   /* of an operation; NONE if it was not enqueued */
	uint32_t *low;        /* of an operation: successful dequeues that ended before it began */
	bool *placed;
	uint32_t done, in_p, total; /* dequeues in P; successful ones; of all */
	struct owing later, sooner;
	struct lp_fingerprints seen;
	uint64_t set[2], rounds;
};

static bool finds_nothing(const struct queue *q, uint32_t op)
{
	return q->p->ops[op].result == LP_EMPTY;
}

static bool is_in_time(const struct queue *q, const struct owing *o, uint32_t next)
{
	for (uint32_t i = 0; i < o->count; i++)
		if (next - o->at[i].place > q->factor)
			return false;
	return true;
}

static struct owed take(struct owing *o, uint32_t i)
{
	const struct owed out = o->at[i];

	memmove(o->at + i, o->at + i + 1, sizeof *o->at * (--o->count - i));
	return out;
}

static void put_back(struct owing *o, uint32_t i, struct owed what)
{
	LP_RESERVE(o, 1);
	memmove(o->at + i + 1, o->at + i, sizeof *o->at * (o->count++ - i));
	o->at[i] = what;
}

/* When the first enqueue ended of those whose values are there. */
static uint32_t first_end(const struct queue *q, uint32_t from)
{
	uint32_t end = UINT32_MAX;

	for (uint32_t i = from; i < q->value_count && q->values[i].start < end; i++)
		if (!q->values[i].gone && q->values[i].end < end)
			end = q->values[i].end;
	return end;
}

/* ---- the end ---- */

static bool settles(struct queue *q, uint32_t from, uint32_t next);

/* Can the owed calls be made if R removes the value (NONE: one that is enqueued later) at this place? */
static bool settles_with(struct queue *q, uint32_t from, uint32_t next, uint32_t value)
{
	if (value != NONE)
		q->values[value].gone = true;
	const bool can = is_in_time(q, &q->later, next + 1) && is_in_time(q, &q->sooner, next + 1) &&
			 settles(q, from, next + 1);
	if (value != NONE)
		q->values[value].gone = false;
	return can;
}

/* Makes the owed calls, the oldest first, and gives their places to others.  A value that is enqueued later comes
 * after all values that are present. */
static bool settles(struct queue *q, uint32_t from, uint32_t next)
{
	const uint32_t end = first_end(q, from);
	bool can = !q->later.count;

	if (can)
		return true;
	const struct owed came = take(&q->sooner, 0);
	for (uint32_t i = 0; i < q->later.count && !can; i++) {
		const uint32_t v = q->value_of[q->later.at[i].what];
		if (v == NONE ? end != UINT32_MAX : q->values[v].start > end)
			continue;
		const struct owed paid = take(&q->later, i);
		can = settles_with(q, from, next, v);
		put_back(&q->later, i, paid);
	}
	for (uint32_t i = from; i < q->value_count && q->values[i].start < end && !can; i++) {
		if (q->values[i].gone)
			continue;
		LP_PUSH(&q->sooner, (struct owed){ i, next });
		can = settles_with(q, from, next, i);
		q->sooner.count--;
	}
	put_back(&q->sooner, 0, came);
	return can;
}

/* ---- the search ---- */

static bool is_new(struct queue *q)
{
	struct lp_fingerprint f = LP_FINGERPRINT;
	uint64_t sum[2] = { 0, 0 };

	for (uint32_t i = 0; i < q->later.count; i++)
		sum[0] += lp_mix((uint64_t)q->later.at[i].what << 32 | q->later.at[i].place);
	for (uint32_t i = 0; i < q->sooner.count; i++)
		sum[1] += lp_mix(~((uint64_t)q->sooner.at[i].what << 32 | q->sooner.at[i].place));
	lp_fingerprint_word(&f, q->set[0]);
	lp_fingerprint_word(&f, q->set[1]);
	lp_fingerprint_word(&f, sum[0]);
	lp_fingerprint_word(&f, sum[1]);
	return lp_fingerprints_add(&q->seen, f);
}

static const char *limit_reached(struct queue *q)
{
	if (q->limits->memory && lp_fingerprints_size(&q->seen) > q->limits->memory)
		return "out of memory";
	if (q->limits->steps && q->found->steps > q->limits->steps)
		return "out of steps";
	return ++q->rounds & 255 ? NULL : lp_search_late(q->limits, q->found->steps);
}

static bool place_rest(struct queue *q, struct from from, uint32_t latest);

static uint32_t find(const struct queue *q, const struct owing *o, uint32_t value, bool later)
{
	uint32_t i = 0;

	while (i < o->count && (later ? q->value_of[o->at[i].what] : o->at[i].what) != value)
		i++;
	return i;
}

/* May R have the value before the dequeue that returns it, or before one that was not made? */
static bool may_be_sooner(const struct queue *q, uint32_t value, uint32_t place)
{
	const uint32_t op = q->values[value].op;

	return op != NONE ? q->low[op] <= (uint64_t)place + q->factor : q->total - place <= q->factor;
}

/* Adds the dequeue to P; R removes the value at the same place.  `came`: R has already removed the dequeue's own
 * value. */
static bool remove_value(struct queue *q, struct from from, uint32_t latest, uint32_t op,
			 uint32_t value, bool came)
{
	const uint32_t place = q->in_p - 1;
	const bool own = q->value_of[op] == value;
	const uint32_t paid = find(q, &q->later, value, true);
	const bool pays = paid < q->later.count && !own;
	struct owed was = { 0, 0 };
	bool found = false;

	if (!own && !pays && !may_be_sooner(q, value, place))
		return false;
	q->found->steps++;
	q->values[value].gone = true;
	if (pays)
		was = take(&q->later, paid);
	else if (!own)
		LP_PUSH(&q->sooner, (struct owed){ value, place });
	if (!own && !came)
		LP_PUSH(&q->later, (struct owed){ op, place });
	if (is_in_time(q, &q->later, q->in_p) && is_in_time(q, &q->sooner, q->in_p))
		found = place_rest(q, from, latest);
	if (!own && !came)
		q->later.count--;
	if (pays)
		put_back(&q->later, paid, was);
	else if (!own)
		q->sooner.count--;
	q->values[value].gone = false;
	return found;
}

/* All values that R can remove next, the dequeue's own first; V1 and V2. */
static bool remove_some(struct queue *q, struct from from, uint32_t latest, uint32_t op, uint32_t due)
{
	const uint32_t own = q->value_of[op], end = first_end(q, from.value);
	const uint32_t at = own == NONE ? q->sooner.count : find(q, &q->sooner, own, false);
	const bool came = at < q->sooner.count;
	struct owed was = { 0, 0 };
	bool found = false;

	if (came)
		was = take(&q->sooner, at);
	for (int others = came || own == NONE; others < 2 && !found; others++)
		for (uint32_t i = from.value; i < q->value_count && q->values[i].start < end && !found; i++)
			if (!q->values[i].gone && q->values[i].start < due && (i != own) == others)
				found = remove_value(q, from, latest, op, i, came);
	if (came)
		put_back(&q->sooner, at, was);
	return found;
}

static bool place_op(struct queue *q, struct from from, uint32_t latest, uint32_t op, uint32_t due)
{
	const uint64_t mixed = lp_mix(op + UINT64_C(0x51ed270b7a5f1c35));
	const uint64_t other = lp_mix(mixed ^ UINT64_C(0xd6e8feb86659fd93));
	const bool nothing = finds_nothing(q, op);
	bool found = false;

	latest = q->p->ops[op].start > latest ? q->p->ops[op].start : latest;
	q->placed[op] = true;
	q->set[0] += mixed;
	q->set[1] += other;
	q->done++;
	q->in_p += !nothing;
	if (!nothing)
		found = remove_some(q, from, latest, op, due);
	else if (first_end(q, from.value) > latest) /* V3 */
		found = place_rest(q, from, latest);
	q->in_p -= !nothing;
	q->done--;
	q->set[0] -= mixed;
	q->set[1] -= other;
	q->placed[op] = false;
	return found;
}

/* The dequeues that can come next, those that end first before others. */
static bool place_rest(struct queue *q, struct from from, uint32_t latest)
{
	const struct lp_history_op *ops = q->p->ops;

	if (q->found->limit || !is_new(q))
		return false;
	q->found->limit = limit_reached(q);
	while (from.value < q->value_count && q->values[from.value].gone)
		from.value++;
	if (q->done == q->count)
		return settles(q, from.value, q->in_p);
	while (q->placed[q->by_start[from.start]])
		from.start++;
	while (q->placed[q->by_end[from.end]])
		from.end++;
	const uint32_t due = ops[q->by_end[from.end]].end;
	for (uint32_t i = from.end; i < q->count && !q->found->limit; i++) {
		const uint32_t op = q->by_end[i];
		uint32_t open = from.start; /* is there another that can come next? */
		if (!q->placed[op] && ops[op].start < due && place_op(q, from, latest, op, due))
			return true;
		while (open < q->count && ops[q->by_start[open]].start < due &&
		       (q->placed[q->by_start[open]] || ops[q->by_start[open]].end <= ops[op].end))
			open++;
		if (open == q->count || ops[q->by_start[open]].start > due)
			break;
	}
	return false;
}

/* ---- the whole ---- */

/* Does the problem have only enqueues, which keep their order, and dequeues, all with known results? */
static bool is_plain(const struct lp_problem *p, const struct lp_quasi *rule)
{
	const struct lp_kind *kind = p->spec.kind;
	const uint32_t enqueue = lp_kind_method(kind, LP_VERB_INSERT), dequeue = lp_kind_method(kind, LP_VERB_TAKE);
	uint32_t factors = 0, dequeues = 0;
	bool fits = lp_kind_traits(kind)->leaves == LP_LEAVES_FIRST_IN;

	for (uint32_t i = 0; i < kind->param_count; i++)
		fits &= !p->spec.param[i]; /* bounded, blocking, synchronous */
	for (uint32_t c = 0; fits && c < rule->count; c++) {
		const uint64_t methods = rule->classes[c].methods;
		if (methods >> enqueue & 1)
			fits = !rule->classes[c].factor && !(methods >> dequeue & 1);
		factors += methods >> dequeue & 1;
		fits &= !(methods >> dequeue & 1) || (rule->classes[c].factor && rule->classes[c].factor != LP_ANY_DISTANCE);
	}
	for (uint32_t i = 0; fits && i < p->count; i++) {
		const struct lp_history_op *op = &p->ops[i];
		dequeues += op->method == dequeue;
		fits = op->method == dequeue ? op->results == 1 && !lp_op_is_pending(op) :
		       op->method == enqueue && (op->results != 1 || op->result == 1);
	}
	return fits && factors == 1 && dequeues <= MOST_DEQUEUES;
}

/* False if a value was enqueued or dequeued twice. */
static bool fill(struct queue *q, uint32_t dequeue)
{
	const struct lp_problem *p = q->p;
	int64_t *value = lp_alloc(sizeof *value * p->count);
	uint32_t *number = lp_alloc(sizeof *number * p->count);
	bool twice = false;

	for (uint32_t i = 0; i < p->count; i++)
		value[i] = p->ops[i].method == dequeue ? p->ops[i].result : p->ops[i].arg;
	lp_sort_number_values(value, p->count, number);
	uint32_t *index = lp_alloc(sizeof *index * p->count); /* by number */
	memset(index, 0xff, sizeof *index * p->count);
	for (uint32_t rank = 0, ended = 0; rank < p->ranks; rank++) {
		const uint32_t op = p->events[rank] / 2;
		const bool ends = p->events[rank] & 1;
		if (p->ops[op].method != dequeue) {
			if (ends)
				continue;
			twice |= index[number[op]] != NONE;
			index[number[op]] = q->value_count;
			q->values[q->value_count++] =
				(struct value){ p->ops[op].start, p->ops[op].end, NONE, false };
		} else if (ends) {
			ended += !finds_nothing(q, op);
			q->by_end[q->done++] = op;
		} else {
			q->low[op] = ended;
			q->by_start[q->count++] = op;
		}
	}
	q->done = 0;
	for (uint32_t i = 0; i < q->count; i++) {
		const uint32_t op = q->by_start[i];
		q->total += !finds_nothing(q, op);
		q->value_of[op] = finds_nothing(q, op) ? NONE : index[number[op]];
		if (q->value_of[op] == NONE)
			continue;
		twice |= q->values[q->value_of[op]].op != NONE;
		q->values[q->value_of[op]].op = op;
	}
	lp_free(value);
	lp_free(number);
	lp_free(index);
	return !twice;
}

static uint32_t factor_of(const struct lp_quasi *rule, uint32_t method)
{
	uint32_t c = 0;

	while (!(rule->classes[c].methods >> method & 1))
		c++;
	return rule->classes[c].factor;
}

bool lp_quasi_search_queue(const struct lp_problem *p, const struct lp_quasi *rule,
			   const struct lp_search_limits *limits, struct lp_history_search *found,
			   enum lp_finding *finding)
{
	const uint32_t dequeue = lp_kind_method(p->spec.kind, LP_VERB_TAKE), n = p->count;
	struct queue q = { .p = p, .limits = limits, .found = found };

	if (!is_plain(p, rule))
		return false;
	*found = (struct lp_history_search){ .limit = NULL };
	q.factor = factor_of(rule, dequeue);
	q.values = lp_alloc(sizeof *q.values * n);
	q.by_start = lp_alloc(sizeof *q.by_start * n);
	q.by_end = lp_alloc(sizeof *q.by_end * n);
	q.value_of = lp_alloc(sizeof *q.value_of * n);
	q.low = lp_alloc_zero(n, sizeof *q.low);
	q.placed = lp_alloc_zero(n, sizeof *q.placed);
	LP_RESERVE(&q.later, 1);
	LP_RESERVE(&q.sooner, 1);
	const bool once = fill(&q, dequeue);
	if (once) {
		const bool right = place_rest(&q, (struct from){ 0, 0, 0 }, 0);
		*finding = right ? LP_CORRECT : found->limit ? LP_UNDECIDED : LP_WRONG;
	}
	lp_free(q.values);
	lp_free(q.by_start);
	lp_free(q.by_end);
	lp_free(q.value_of);
	lp_free(q.low);
	lp_free(q.placed);
	lp_free(q.later.at);
	lp_free(q.sooner.at);
	lp_fingerprints_close(&q.seen);
	return once;
}
