/* quasi.c -- the search for two orders that are close to each other.
 *
 * P and R (quasi.h) grow in turn, one operation each.  A class's count of operations is
 * the place that its next one gets.  An operation that is in one of them only keeps its
 * places; when the other gets it, too, the places are compared.  So what the rest
 * depends on is: the two sets, the state after R, and the places of operations that are
 * in one of them only.  That is what is remembered; nothing is tried twice.
 *
 * No pair of orders is lost:
 *
 *   Q1  Every pair is built in exactly one way, since whose turn it is depends on the
 *       lengths alone, and both end up with the same operations.
 *   Q2  An operation that is in one order only, and whose class has in the other gone
 *       beyond its place by more than the factor, can no longer be close: given up.
 *   Q3  In P an operation has all its predecessors before it, and all its successors
 *       that returned behind it: its place in each class is within known bounds.  R
 *       takes it only at a place that is close to those.
 */
#include "check/quasi.h"

#include <assert.h>
#include <string.h>

#include "base/fingerprints.h"
#include "base/hash.h"
#include "check/frontier.h"

enum { P_SIDE = 1, R_SIDE = 2 };

/* Bytes for working out who precedes whom (Q3); beyond that, bounds are loose. */
#define CLOSURE_BYTES ((size_t)16 << 20)

struct frame {
	uint32_t first, next, end; /* what can be placed here, in `candidates` */
	bool right;                /* R's turn */
	bool placed;
	uint32_t op;
	uint32_t mark;             /* of the frontier */
	uint32_t state, words;     /* R: where the state before is kept */
	uint64_t set[2];
};

struct candidate {
	uint32_t op, choice;
};

struct quasi {
	const struct lp_problem *p;
	const struct lp_quasi *rule;
	struct lp_quasi own;         /* the rule, if calls stay in place ... */
	uint32_t still;              /* ... and its class for those that do not move at all */
	const struct lp_search_limits *limits;
	struct lp_search *found;
	struct lp_frontier frontier; /* of P */
	struct lp_state state, trial; /* after R */
	uint8_t *side;               /* where an operation is: P_SIDE | R_SIDE */
	uint32_t *place;             /* [class * count + op], while it is on one side only */
	uint32_t *low, *high;        /* [class * count + op]: bounds of Q3 */
	uint32_t in_p[LP_MAX_CLASSES], in_r[LP_MAX_CLASSES];
	struct {
		LP_VEC(uint32_t);
	} apart;                     /* operations on one side only */
	uint32_t p_count, r_count;
	uint32_t left;               /* operations that returned and are not in P */
	struct {
		LP_VEC(struct frame);
	} frames;
	struct {
		LP_VEC(struct candidate);
	} candidates;
	struct {
		LP_VEC(int64_t);
	} words;
	struct {
		LP_VEC(struct candidate);
	} run;                       /* R so far */
	struct lp_fingerprints seen;
	uint64_t set[2];
	uint64_t rounds;
};

/* A call that found the object empty, full or otherwise not willing. */
static bool has_failed(const struct lp_problem *p, const struct lp_op *op)
{
	if (lp_op_is_pending(op) || op->results != 1)
		return false;
	return op->result == LP_EMPTY || op->result == LP_FULL || op->result == LP_NIL ||
	       (lp_op_method(p, op)->result == LP_SUCCESS && !op->result);
}

static bool in_class(const struct quasi *q, uint32_t c, uint32_t op)
{
	const struct lp_op *o = &q->p->ops[op];

	if (q->rule->in_place && has_failed(q->p, o))
		return c == q->still;
	return q->rule->classes[c].methods >> o->method & 1;
}

/* Are they of the same classes, if they have to be? */
static bool may_swap(const struct quasi *q, uint32_t a, uint32_t b)
{
	for (uint32_t c = 0; q->rule->in_place && c < q->rule->count; c++)
		if (in_class(q, c, a) != in_class(q, c, b))
			return false;
	return true;
}

/* Is b at most `factor` beyond a? */
static bool within(uint32_t b, uint32_t a, uint32_t factor)
{
	return b <= a || b - a <= factor;
}

static uint32_t *place_of(const struct quasi *q, uint32_t c, uint32_t op)
{
	return &q->place[(size_t)c * q->p->count + op];
}

/* May the next place of `side` be that of `op`? */
static bool fits(const struct quasi *q, uint32_t op, bool right)
{
	const bool both = q->side[op] != 0;

	for (uint32_t c = 0; c < q->rule->count; c++) {
		const uint32_t factor = q->rule->classes[c].factor;
		const uint32_t here = right ? q->in_r[c] : q->in_p[c];
		if (!in_class(q, c, op))
			continue;
		if (both) {
			const uint32_t there = *place_of(q, c, op);
			if (!within(here, there, factor) || !within(there, here, factor))
				return false;
		} else if (right) {
			const size_t at = (size_t)c * q->p->count + op;
			const uint32_t low = q->low[at] > q->in_p[c] ? q->low[at] : q->in_p[c];
			if (!within(low, here, factor) || !within(here, q->high[at], factor))
				return false; /* Q3 */
		}
	}
	return true;
}

/* Q2, after one more operation on one side. */
static bool is_hopeless(const struct quasi *q)
{
	for (uint32_t i = 0; i < q->apart.count; i++) {
		const uint32_t op = q->apart.at[i];
		const uint32_t *gone = q->side[op] == P_SIDE ? q->in_r : q->in_p;
		for (uint32_t c = 0; c < q->rule->count; c++)
			if (in_class(q, c, op) &&
			    !within(gone[c], *place_of(q, c, op), q->rule->classes[c].factor))
				return true;
	}
	return false;
}

static enum lp_answer try_op(struct quasi *q, uint32_t op, uint32_t choice)
{
	struct lp_spec_call call = lp_problem_call(q->p, op);

	call.choice = choice;
	q->found->steps++;
	lp_state_copy(&q->trial, &q->state);
	return lp_spec_step(&q->p->spec, q->p->ops[op].method, &q->trial, &call);
}

static void offer(struct quasi *q, uint32_t op, bool right)
{
	const bool chooses = lp_op_method(q->p, &q->p->ops[op])->roles & LP_CHOOSES;

	if (!fits(q, op, right))
		return;
	if (!right) {
		LP_PUSH(&q->candidates, (struct candidate){ op, 0 });
		return;
	}
	for (uint32_t choice = 0; try_op(q, op, choice) == LP_ACCEPTS; choice++) {
		LP_PUSH(&q->candidates, (struct candidate){ op, choice });
		if (!chooses)
			break;
	}
}

/* The next turn, with everything that can be placed.  What P has and R has not comes
 * first: then R follows P as long as it can. */
static void add_frame(struct quasi *q)
{
	struct frame f = { .first = q->candidates.count, .right = q->r_count < q->p_count };

	if (!f.right) {
		for (uint32_t i = 0; i < q->frontier.ready.count; i++)
			offer(q, q->frontier.ready.at[i], false);
	} else {
		const uint32_t there = LP_LAST(&q->frames).op; /* what P has in this place */
		for (uint32_t i = 0; i < q->apart.count; i++)
			if (q->side[q->apart.at[i]] == P_SIDE && may_swap(q, q->apart.at[i], there))
				offer(q, q->apart.at[i], true);
		for (uint32_t op = 0; op < q->p->count; op++)
			if (!q->side[op] && may_swap(q, op, there))
				offer(q, op, true);
	}
	f.next = f.first;
	f.end = q->candidates.count;
	LP_PUSH(&q->frames, f);
}

static void toggle_set(struct quasi *q, uint32_t op, bool right)
{
	const uint64_t a = lp_mix(2 * (uint64_t)op + right + UINT64_C(0x51ed270b7a5f1c35));

	q->set[0] += a;
	q->set[1] += lp_mix(a ^ UINT64_C(0xd6e8feb86659fd93));
}

/* Puts `op` on a side, or takes it off again: counts, places, `apart`. */
static void move(struct quasi *q, uint32_t op, bool right, bool on)
{
	uint32_t *count = right ? q->in_r : q->in_p;
	const uint8_t mine = right ? R_SIDE : P_SIDE;

	if (on)
		q->side[op] |= mine;
	else
		q->side[op] &= (uint8_t)~mine;
	for (uint32_t c = 0; c < q->rule->count; c++) {
		if (!in_class(q, c, op))
			continue;
		count[c] -= !on;
		if (q->side[op] == mine) /* it stands there until the other has it, too */
			*place_of(q, c, op) = count[c];
		count[c] += on;
	}
}

/* After move(): keeps `apart` as it should be. */
static void update_apart(struct quasi *q, uint32_t op)
{
	const bool apart = q->side[op] == P_SIDE || q->side[op] == R_SIDE;
	uint32_t at = 0;

	while (at < q->apart.count && q->apart.at[at] != op)
		at++;
	if (apart && at == q->apart.count) {
		LP_PUSH(&q->apart, op);
	} else if (!apart && at < q->apart.count) {
		memmove(q->apart.at + at, q->apart.at + at + 1,
			sizeof *q->apart.at * (--q->apart.count - at));
	}
}

static void place(struct quasi *q, struct frame *f, struct candidate c)
{
	f->op = c.op;
	f->placed = true;
	f->set[0] = q->set[0];
	f->set[1] = q->set[1];
	toggle_set(q, c.op, f->right);
	move(q, c.op, f->right, true);
	update_apart(q, c.op);
	if (!f->right) {
		f->mark = lp_frontier_place(&q->frontier, c.op);
		q->p_count++;
		q->left -= !lp_op_is_pending(&q->p->ops[c.op]);
		return;
	}
	f->state = q->words.count;
	f->words = q->state.count;
	LP_RESERVE(&q->words, q->state.count);
	memcpy(q->words.at + q->words.count, q->state.at, sizeof *q->state.at * q->state.count);
	q->words.count += q->state.count;
	try_op(q, c.op, c.choice);
	const struct lp_state swap = q->state;
	q->state = q->trial;
	q->trial = swap;
	q->r_count++;
	LP_PUSH(&q->run, c);
}

static void take_back(struct quasi *q, struct frame *f)
{
	move(q, f->op, f->right, false); /* its place on the other side stays */
	update_apart(q, f->op);
	f->placed = false;
	q->set[0] = f->set[0];
	q->set[1] = f->set[1];
	if (!f->right) {
		lp_frontier_take_back(&q->frontier, f->op, f->mark);
		q->p_count--;
		q->left += !lp_op_is_pending(&q->p->ops[f->op]);
		return;
	}
	q->state.count = f->words;
	memcpy(q->state.at, q->words.at + f->state, sizeof *q->state.at * f->words);
	q->words.count = f->state;
	q->r_count--;
	q->run.count--;
}

/* Is this new?  The places of what is apart are summed up: their order is no matter. */
static bool remember(struct quasi *q)
{
	struct lp_fingerprint f = LP_FINGERPRINT;
	uint64_t a = 0, b = 0;

	for (uint32_t i = 0; i < q->apart.count; i++) {
		const uint32_t op = q->apart.at[i];
		for (uint32_t c = 0; c < q->rule->count; c++) {
			if (!in_class(q, c, op) || q->rule->classes[c].factor == LP_ANY_DISTANCE)
				continue;
			const uint64_t x = lp_mix(((uint64_t)op * LP_MAX_CLASSES + c) << 24 ^
						  lp_mix(*place_of(q, c, op) + UINT64_C(77)));
			a += x;
			b += lp_mix(x ^ UINT64_C(0x9e3779b97f4a7c15));
		}
	}
	lp_fingerprint_word(&f, q->set[0]);
	lp_fingerprint_word(&f, q->set[1]);
	lp_fingerprint_word(&f, a);
	lp_fingerprint_word(&f, b);
	for (uint32_t i = 0; i < q->state.count; i++)
		lp_fingerprint_word(&f, (uint64_t)q->state.at[i]);
	return lp_fingerprints_add(&q->seen, f);
}

static void keep_best(struct quasi *q)
{
	if (q->run.count <= q->found->count)
		return;
	q->found->count = q->run.count;
	for (uint32_t i = 0; i < q->run.count; i++) {
		q->found->order[i] = q->run.at[i].op;
		q->found->choice[i] = q->run.at[i].choice;
	}
}

static const char *limit_reached(struct quasi *q)
{
	const size_t used = (size_t)q->words.count * sizeof *q->words.at +
			    (size_t)q->candidates.count * sizeof *q->candidates.at;
	const size_t memory = q->limits->memory;

	if (memory && used + lp_fingerprints_size(&q->seen) > memory)
		return "out of memory";
	if (q->limits->steps && q->found->steps > q->limits->steps)
		return "out of steps";
	return ++q->rounds & 255 ? NULL : lp_search_late(q->limits, q->found->steps);
}

static bool is_complete(const struct quasi *q)
{
	return !q->left && q->p_count == q->r_count && !q->apart.count;
}

static enum lp_finding run(struct quasi *q)
{
	if (is_complete(q))
		return LP_CORRECT; /* no call has returned */
	add_frame(q);
	while (q->frames.count) {
		struct frame *f = &LP_LAST(&q->frames);
		if (f->placed)
			take_back(q, f);
		if (f->next == f->end) {
			q->candidates.count = f->first;
			q->frames.count--;
			continue;
		}
		place(q, f, q->candidates.at[f->next++]);
		if (is_hopeless(q))
			continue;
		keep_best(q);
		if (is_complete(q)) {
			q->found->count = 0; /* of shorter runs a longer one may be the best */
			keep_best(q);
			return LP_CORRECT;
		}
		q->found->limit = limit_reached(q);
		if (q->found->limit)
			return LP_UNDECIDED;
		if (remember(q))
			add_frame(q);
	}
	return LP_WRONG;
}

/* Q3, from the transitive closure: how many of each class come before an operation, and
 * how many that returned come behind it. */
static void set_bounds(struct quasi *q, const struct lp_order *order)
{
	const uint32_t n = q->p->count, row = (n + 63) / 64;
	uint64_t *before = lp_alloc_zero((size_t)order->nodes * row, sizeof *before);
	uint32_t *left = lp_alloc(sizeof *left * order->nodes);
	uint32_t *done = lp_alloc(sizeof *done * order->nodes), count = 0;

	for (uint32_t v = 0; v < order->nodes; v++) {
		left[v] = order->before[v];
		if (!left[v])
			done[count++] = v;
	}
	for (uint32_t at = 0; at < count; at++) {
		const uint32_t v = done[at];
		for (uint32_t i = order->first[v]; i < order->first[v + 1]; i++) {
			uint64_t *to = before + (size_t)order->next[i] * row;
			for (uint32_t w = 0; w < row; w++)
				to[w] |= before[(size_t)v * row + w];
			if (v < n)
				to[v / 64] |= UINT64_C(1) << v % 64;
			if (!--left[order->next[i]])
				done[count++] = order->next[i];
		}
	}
	for (uint32_t op = 0; op < n; op++)
		for (uint32_t i = 0; i < n; i++) {
			if (!(before[(size_t)op * row + i / 64] >> i % 64 & 1))
				continue;
			for (uint32_t c = 0; c < q->rule->count; c++) {
				if (in_class(q, c, op) && in_class(q, c, i))
					q->low[(size_t)c * n + op]++;
				if (in_class(q, c, i) && in_class(q, c, op) &&
				    !lp_op_is_pending(&q->p->ops[op]))
					q->high[(size_t)c * n + i]--;
			}
		}
	lp_free(before);
	lp_free(left);
	lp_free(done);
}

static void open_search(struct quasi *q, const struct lp_order *order)
{
	const uint32_t n = q->p->count;
	const size_t cells = (size_t)q->rule->count * n;

	lp_state_open(&q->state);
	lp_state_open(&q->trial);
	lp_state_begin(&q->state, &q->p->spec);
	lp_frontier_open(&q->frontier, q->p, order);
	LP_RESERVE(&q->words, 1);
	q->side = lp_alloc_zero(n, sizeof *q->side);
	q->place = lp_alloc_zero(cells, sizeof *q->place);
	q->low = lp_alloc_zero(cells, sizeof *q->low);
	q->high = lp_alloc_zero(cells, sizeof *q->high);
	for (uint32_t i = 0; i < n; i++)
		q->left += !lp_op_is_pending(&q->p->ops[i]);
	for (uint32_t c = 0; c < q->rule->count; c++) {
		uint32_t size = 0;
		for (uint32_t i = 0; i < n; i++)
			size += in_class(q, c, i);
		for (uint32_t i = 0; i < n && size; i++)
			q->high[(size_t)c * n + i] = size - 1;
	}
	if ((size_t)order->nodes * ((n + 63) / 64) * sizeof(uint64_t) <= CLOSURE_BYTES)
		set_bounds(q, order);
}

static void close_search(struct quasi *q)
{
	lp_state_close(&q->state);
	lp_state_close(&q->trial);
	lp_frontier_close(&q->frontier);
	lp_fingerprints_close(&q->seen);
	lp_free(q->side);
	lp_free(q->place);
	lp_free(q->low);
	lp_free(q->high);
	lp_free(q->apart.at);
	lp_free(q->frames.at);
	lp_free(q->candidates.at);
	lp_free(q->words.at);
	lp_free(q->run.at);
}

enum lp_finding lp_search_quasi(const struct lp_problem *p, const struct lp_order *order,
				const struct lp_quasi *quasi, const struct lp_search_limits *limits,
				struct lp_search *found)
{
	struct quasi q = { .p = p, .rule = quasi, .limits = limits, .found = found };

	*found = (struct lp_search){ .order = lp_alloc(sizeof *found->order * p->count),
				     .choice = lp_alloc_zero(p->count, sizeof *found->choice) };
	if (quasi->in_place) {
		assert(quasi->count < LP_MAX_CLASSES);
		q.own = *quasi;
		q.still = q.own.count++;
		q.own.classes[q.still].methods = 0;
		q.own.classes[q.still].factor = 0;
		q.rule = &q.own;
	}
	open_search(&q, order);
	const enum lp_finding finding = run(&q);
	close_search(&q);
	return finding;
}
