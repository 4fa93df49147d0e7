/* live_stack.c -- the live checker of the order of stacks.
 *
 * fast_stack.c decides a whole history.  Here the history is cut into small ones.  The *core* of a value is the time in which it is
 * certain (live_box.h).  Two cores *cross* if each begins or ends within the other; a *knot* is a set of values connected by
 * crossings.
 *
 *     v  |---------------|            v and w cross: one knot
 *     w       |----|-------------|    x is nested in both: a knot by itself, if nothing
 *     x         |-|                   else crosses it
 *
 *   K   A history is correct iff each knot is correct by itself, and each removal that
 *       finds nothing has a moment without certain values (live_box.c checks this).
 *
 * Why.  If a history is correct, so are the calls on some of its values alone.  Conversely, let (t1, t2) be the span of a complete
 * knot: from the beginning of its first core to the end of its last.  Let Y be the values whose cores lie within the span, which
 * are the knot and all that is nested in it, and let Z be the other values.  No core of Z begins or ends within the span: it
 * contains the span or is apart from it.  At t1 and at t2 no value of Y is certain.  So Y has a linearization that is empty up to
 * t1 and from t2 on (S1 of fast_stack.c).  Take a linearization of Z.  A push of Z within the span may be as late as t2, and a pop
 * of Z within the span may be as early as t1.  No value that is pushed within the span is below one that is popped there.  So these
 * pushes can be moved to t2, and these pops to t1, and Y fits in between.  Within Y, the same argument takes the nested knots out
 * one by one.
 *
 * Certain values are in a list, in the order in which they became certain.  Each knot is a stretch of the list, so the knots form a
 * stack themselves: when a value leaves that is not in the last knot, its knot absorbs all later knots.
 *
 *     certain:   a   b c   d e f           c leaves:   a   b-d-e-f (c)
 *     knots:    (a) (b-c) (d)(e-f)                    (a) (b-c-d-e-f)
 *
 * A knot is decided when its last certain value has left.  It is correct if it has one value, if all its pushes overlap, or if all
 * its pops overlap.  Other knots are checked by src/check.
 *
 * A knot that is not complete is checked as if its certain values were popped by calls that start now and never end, which is the
 * most favourable continuation.  This is done from time to time, and when a knot has grown beyond a limit.  After a check because
 * of the limit, the checker forgets everything.
 */
#include "monitor/live/live_box.h"

#include "monitor/recheck.h"

/* A right knot is as large as that only if so many values lie on top of each other, and
 * the calls of each two neighbours overlap at one end or the other. */
enum { KNOT_LIMIT = 1 << 16 };

#define FOREVER ((uint64_t)LP_MAX_TIME - 1)

struct knot {
	uint64_t first;        /* seq of its first value */
	uint32_t head, tail;   /* its values, certain or not any more */
	uint32_t count, alive; /* alive: certain ones */
	bool is_new;           /* some left since it was looked at */
};

struct lp_knots {
	LP_VEC(struct knot);
};

bool lp_live_knots_open(struct lp_box *b)
{
	b->knots = lp_try_alloc_zero(1, sizeof *b->knots);
	return b->knots;
}

void lp_live_knots_close(struct lp_box *b)
{
	if (b->knots)
		lp_free(b->knots->at);
	lp_free(b->knots);
	b->knots = NULL;
}

void lp_live_knots_forget(struct lp_box *b)
{
	b->knots->count = 0;
}

uint64_t lp_live_knots_bytes(const struct lp_box *b)
{
	return sizeof *b->knots + sizeof *b->knots->at * (uint64_t)b->knots->room;
}

void lp_live_knots_enter(struct lp_live *live, uint32_t i)
{
	struct lp_box *b = live->self;
	struct lp_box_item *v = lp_box_at(b, i);

	v->flags |= LP_BOX_HELD;
	v->next = LP_NO_ITEM;
	LP_PUSH(b->knots, (struct knot){ v->seq, i, i, 1, 1, false });
}

/* The last knot that does not begin after it. */
static uint32_t knot_of(const struct lp_knots *k, uint64_t seq)
{
	uint32_t low = 0, high = k->count;

	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (k->at[middle].first <= seq)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* All pushes share a moment, or all pops do: then any order is possible for them. */
static bool is_simple(const struct lp_box *b, const struct knot *k, uint64_t now)
{
	uint64_t in_start = 0, in_end = LP_LIVE_NEVER, out_start = 0, out_end = LP_LIVE_NEVER;

	for (uint32_t i = k->head; i != LP_NO_ITEM; i = lp_box_at(b, i)->next) {
		const struct lp_box_item *v = lp_box_at(b, i);
		if (v->flags & LP_BOX_UNCLEAR)
			continue;
		in_start = v->in_start > in_start ? v->in_start : in_start;
		in_end = v->in_end < in_end ? v->in_end : in_end;
		const uint64_t from = v->flags & LP_BOX_OUT ? v->out_start : now;
		const uint64_t to = v->flags & LP_BOX_OUT ? v->out_end : FOREVER;
		out_start = from > out_start ? from : out_start;
		out_end = to < out_end ? to : out_end;
	}
	return in_start <= in_end || out_start <= out_end;
}

/* The stack as it is checked: how much room there is, and whether one waits for it or for
 * a value, does not matter to the order of values, and only the plain one is decided
 * quickly. */
static struct lp_spec without_bound(const struct lp_spec *spec)
{
	static const char *const names[] = { "bounded", "blocking" };
	struct lp_spec plain = *spec;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const int param = lp_spec_param(spec, names[i]);
		if (param >= 0)
			plain.param[param] = 0;
	}
	return plain;
}

static void decide(struct lp_live *live, const struct knot *k)
{
	struct lp_box *b = live->self;
	struct lp_recheck r;
	uint64_t due = 0;

	if (live->wrong || k->count == 1 || is_simple(b, k, live->now))
		return;
	lp_recheck_open(&r);
	for (uint32_t i = k->head; i != LP_NO_ITEM; i = lp_box_at(b, i)->next) {
		const struct lp_box_item *v = lp_box_at(b, i);
		if (v->flags & LP_BOX_UNCLEAR)
			continue;
		lp_recheck_add(&r, (struct lp_monitor_op){ .start = v->in_start, .end = v->in_end, .thread = v->in_thread,
							   .method = live->names[b->insert], .arg = v->value,
							   .result = LP_VOID });
		const bool out = v->flags & LP_BOX_OUT;
		lp_recheck_add(&r, (struct lp_monitor_op){ .start = out ? v->out_start : live->now,
							   .end = out ? v->out_end : FOREVER, .thread = v->out_thread,
							   .method = live->names[b->remove], .arg = LP_VOID,
							   .result = v->value });
		if (out)
			due = v->out_end > due ? v->out_end : due;
	}
	const struct lp_spec plain = without_bound(live->spec);
	const enum lp_finding finding = lp_recheck_decide(&r, &plain, live);
	lp_recheck_close(&r);
	if (finding == LP_WRONG)
		lp_live_wrong(live, "values are popped in an order that no stack has", due);
	else if (finding == LP_UNDECIDED)
		lp_live_stuck(live, "overlapping calls of a stack could not be decided in a second");
}

static void release(struct lp_box *b, const struct knot *k)
{
	for (uint32_t i = k->head, next; i != LP_NO_ITEM; i = next) {
		next = lp_box_at(b, i)->next;
		lp_box_at(b, i)->flags &= ~(uint32_t)LP_BOX_HELD;
		lp_box_settle(b, i);
	}
}

void lp_live_knots_leave(struct lp_live *live, uint32_t i)
{
	struct lp_box *b = live->self;
	struct lp_knots *all = b->knots;
	const uint32_t at = knot_of(all, lp_box_at(b, i)->seq);
	struct knot *k = &all->at[at];

	for (uint32_t j = at + 1; j < all->count; j++) {
		const struct knot *later = &all->at[j];
		lp_box_at(b, k->tail)->next = later->head;
		k->tail = later->tail;
		k->count += later->count;
		k->alive += later->alive;
	}
	all->count = at + 1;
	k->is_new = true;
	if (--k->alive && k->count < KNOT_LIMIT)
		return;
	decide(live, k);
	if (k->alive) {
		if (!live->wrong) /* which may have to wait for its time */
			lp_live_stuck(live, "more than 65536 values of a stack are connected by overlapping calls");
		return;
	}
	release(b, k);
	all->count--;
}

static uint64_t last_end(const struct lp_box *b, const struct knot *k)
{
	uint64_t last = 0;

	for (uint32_t i = k->head; i != LP_NO_ITEM; i = lp_box_at(b, i)->next) {
		const struct lp_box_item *v = lp_box_at(b, i);
		if ((v->flags & LP_BOX_OUT) && v->out_end > last)
			last = v->out_end;
	}
	return last;
}

void lp_live_knots_look(struct lp_live *live)
{
	struct lp_box *b = live->self;

	for (uint32_t i = 0; i < b->knots->count && !live->wrong; i++) {
		struct knot *k = &b->knots->at[i];
		if (!k->is_new)
			continue;
		decide(live, k);
		/* A pop that goes on may still be overtaken: look again. */
		k->is_new = last_end(b, k) >= live->now;
	}
}
