/* live_box.c -- the live checker of queues, and the part that stacks share with it.
 *
 * The conditions of fast_queue.c, put in the order of time:
 *
 *   - The value of a removal was inserted by a call that started before the removal ended; each insertion accounts for one removal.
 *     This is known when the removal ends.
 *   - There are no values a, b with ins(a) < ins(b) and rem(b) < rem(a).  This is known when the removal
 *     of b ends: such a value a is certain then, and its insertion ended before that of b started.  It is enough to look at
 *     the first certain value of the list, because its insertion ended first.
 *   - During a removal that finds nothing, there is a moment without certain values.  This is known when the removal ends, from
 *     lp_box.not_zero.
 *
 * So each event takes a constant number of steps, and memory is proportional to the contents of the
 * object.  A brief value takes fewer steps (live_brief.h).
 *
 * After a gap, a value may be removed that was not inserted since then.  It was present in the gap, so its insertion ended by
 * `known_from`.  In a queue, such values must be removed before any value that was inserted later.  In queues and stacks, they must
 * be removed before a call finds nothing.
 */
#include "monitor/live/live_brief.h"
#include "spec/traits.h"

#include <string.h>

#define SECOND (UINT64_C(1) << 63) /* of a handle: the second removal of a value */

enum part { INSERT, REMOVE, FINDS_NOTHING, FAILS, NO_PART };

static enum part part_of(const struct lp_box *b, const struct lp_live_call *c)
{
	if (c->method == b->insert)
		return c->result == 0 || c->result == LP_FULL ? FAILS : INSERT;
	if (c->method == b->remove)
		return c->result == LP_EMPTY || c->result == LP_NIL || c->result == LP_VOID ?
			       FINDS_NOTHING :
			       REMOVE;
	return c->method == b->is_empty && c->result == 1 ? FINDS_NOTHING : NO_PART;
}

void lp_box_blame_in(struct lp_live *live, const struct lp_box_item *v)
{
	const struct lp_box *b = live->self;

	lp_live_blame(live, (struct lp_monitor_op){ .start = v->in_start,
						    .end = v->in_end,
						    .arg = v->value,
						    .result = LP_VOID,
						    .method = live->names[b->insert],
						    .thread = v->in_thread });
}

void lp_box_blame_out(struct lp_live *live, const struct lp_box_item *v)
{
	const struct lp_box *b = live->self;

	lp_live_blame(live, (struct lp_monitor_op){ .start = v->out_start,
						    .end = v->out_end,
						    .arg = LP_VOID,
						    .result = v->value,
						    .method = live->names[b->remove],
						    .thread = v->out_thread });
}

/* A value that was there before. */
static void blame_before(struct lp_live *live, const struct lp_box_item *v)
{
	const struct lp_box *b = live->self;

	lp_live_blame(live, (struct lp_monitor_op){ .end = b->known_from,
						    .arg = v->value,
						    .result = LP_VOID });
}

static void become_certain(struct lp_live *live, uint32_t i)
{
	struct lp_box *b = live->self;
	struct lp_box_item *v = lp_box_at(b, i);

	v->flags |= LP_BOX_CERTAIN;
	v->before = b->last;
	v->after = LP_NO_ITEM;
	v->seq = ++b->seq;
	if (b->last != LP_NO_ITEM)
		lp_box_at(b, b->last)->after = i;
	else
		b->first = i;
	b->last = i;
	if (!b->certain++)
		b->not_zero = live->rank;
	live->has_runs = b->knots || b->certain <= LP_BOX_SHORT;
	if (b->knots)
		lp_live_knots_enter(live, i);
}

static void become_uncertain(struct lp_live *live, uint32_t i)
{
	struct lp_box *b = live->self;
	struct lp_box_item *v = lp_box_at(b, i);

	v->flags &= ~(uint32_t)LP_BOX_CERTAIN;
	if (v->before != LP_NO_ITEM)
		lp_box_at(b, v->before)->after = v->after;
	else
		b->first = v->after;
	if (v->after != LP_NO_ITEM)
		lp_box_at(b, v->after)->before = v->before;
	else
		b->last = v->before;
	b->certain--;
	live->has_runs = b->knots || b->certain <= LP_BOX_SHORT;
	if (b->knots)
		lp_live_knots_leave(live, i);
}

static bool is_over(const struct lp_box_item *v)
{
	const uint32_t both = LP_BOX_IN_DONE | LP_BOX_OUT_DONE;

	if (v->users)
		return false;
	return v->flags & LP_BOX_UNCLEAR ? v->balance <= 0 : (v->flags & both) == both;
}

void lp_box_settle(struct lp_box *b, uint32_t i)
{
	struct lp_box_item *v = lp_box_at(b, i);

	if (!is_over(v))
		return;
	if (!(v->flags & (LP_BOX_UNCLEAR | LP_BOX_HIDDEN)))
		b->past[b->past_count++ % LP_BOX_PAST] = (struct lp_box_past){
			v->value,   v->in_start,  v->in_end,    v->out_start,
			v->out_end, v->in_thread, v->out_thread
		};
	/* The value may come again while its knot still needs the item. */
	if (!(v->flags & LP_BOX_HIDDEN))
		lp_table_hide(&b->items, i);
	v->flags |= LP_BOX_HIDDEN;
	if (!(v->flags & LP_BOX_HELD))
		lp_table_free(&b->items, i);
}

/* May a removal that starts then be that of a value which was there before, although we
 * know of another one? */
static bool may_be_before(const struct lp_live *live, uint64_t start)
{
	const struct lp_box *b = live->self;
	return live->repeats && start <= b->unknown_until;
}

/* The value is inserted while it may be present. */
static void become_unclear(struct lp_live *live, uint32_t i)
{
	struct lp_box *b = live->self;
	struct lp_box_item *v = lp_box_at(b, i);

	lp_live_retract(live, v->value);
	v->flags |= LP_BOX_UNCLEAR;
	v->balance = !!(v->flags & LP_BOX_IN) -
		     ((v->flags & LP_BOX_OUT) && !may_be_before(live, v->out_start));
	live->unclear += 1 + !!(v->flags & LP_BOX_OUT);
	if (v->flags & LP_BOX_CERTAIN)
		become_uncertain(live, i);
}

static void start_insert(struct lp_live *live, const struct lp_live_call *c, uint64_t *handle)
{
	struct lp_box *b = live->self;
	const uint32_t i = lp_table_need(&b->items, c->arg);

	if (i == LP_NO_ITEM) {
		lp_live_stuck(live, LP_LIVE_TOO_MANY);
		return;
	}
	struct lp_box_item *v = lp_box_at(b, i);
	const bool was_before = (v->flags & LP_BOX_OUT) && may_be_before(live, v->out_start);
	if (((v->flags & LP_BOX_IN) || was_before) && !(v->flags & LP_BOX_UNCLEAR))
		become_unclear(live, i);
	v->users++;
	*handle = i + 1;
	if (v->flags & LP_BOX_UNCLEAR) {
		v->balance++;
		live->unclear++;
		return;
	}
	v->flags |= LP_BOX_IN;
	v->in_start = c->start;
	v->in_end = c->end;
	v->in_thread = c->thread;
}

static void start_remove(struct lp_live *live, const struct lp_live_call *c, uint64_t *handle)
{
	struct lp_box *b = live->self;
	const uint32_t i = lp_table_need(&b->items, c->result);

	if (i == LP_NO_ITEM) {
		lp_live_stuck(live, LP_LIVE_TOO_MANY);
		return;
	}
	struct lp_box_item *v = lp_box_at(b, i);
	const bool was_before = may_be_before(live, c->start);
	if ((v->flags & LP_BOX_IN) && !(v->flags & LP_BOX_UNCLEAR) && was_before)
		become_unclear(live, i);
	v->users++;
	*handle = i + 1;
	if (v->flags & LP_BOX_UNCLEAR) {
		v->balance -= !was_before;
		live->unclear++;
	} else if (v->flags & LP_BOX_OUT) {
		*handle |= SECOND; /* wrong, unless it is inserted again before the end */
	} else {
		v->flags |= LP_BOX_OUT;
		v->out_start = c->start;
		v->out_end = c->end;
		v->out_thread = c->thread;
		if (v->flags & LP_BOX_CERTAIN)
			become_uncertain(live, i);
	}
}

static void start(struct lp_live *live, const struct lp_live_call *c, uint64_t *handle,
		  bool carried)
{
	const struct lp_box *b = live->self;
	const enum part part = part_of(b, c);

	*handle = 0;
	if (b->brief_time == live->now && (part == INSERT || part == REMOVE))
		lp_brief_forestall(live, part == INSERT ? c->arg : c->result);
	if (part == REMOVE)
		start_remove(live, c, handle);
	else if (carried || part == NO_PART || (part == FAILS && b->bounded))
		live->ignored += !carried; /* as if it had not been: sound for all of them */
	else if (part == INSERT)
		start_insert(live, c, handle);
	else
		*handle = live->rank;
}

static void end_insert(struct lp_live *live, uint32_t i)
{
	struct lp_box *b = live->self;
	struct lp_box_item *v = lp_box_at(b, i);

	v->users--;
	if (!(v->flags & LP_BOX_UNCLEAR)) {
		v->flags |= LP_BOX_IN_DONE;
		if (!(v->flags & LP_BOX_OUT))
			become_certain(live, i);
	}
	lp_box_settle(b, i);
}

/* No insertion of it is known. */
static void end_unknown(struct lp_live *live, const struct lp_live_call *c,
			const struct lp_box_item *v)
{
	struct lp_box *b = live->self;

	if (!b->unknown_until) {
		lp_live_blame_call(live, c);
		lp_live_wrong(live, "a value that was never inserted, or was already removed, is removed",
			      0);
		return;
	}
	if (c->start > b->unknown_until) {
		blame_before(live, v);
		lp_live_blame_call(live, c);
		lp_live_wrong(live, "a value that was never inserted, or should have left long ago, is removed",
			      0);
		return;
	}
	/* A stack: nothing that is certain can be above it. */
	uint32_t looked = 0;
	for (uint32_t i = b->first; b->knots && i != LP_NO_ITEM && looked < 64; looked++) {
		const struct lp_box_item *above = lp_box_at(b, i);
		if (above->in_end >= c->start)
			break;
		if (above->in_start > b->known_from) {
			blame_before(live, v);
			lp_box_blame_in(live, above);
			lp_live_blame_call(live, c);
			lp_live_wrong(live, "a value is popped from below another", 0);
			break;
		}
		i = above->after;
	}
}

/* A queue: a value that was inserted, and has left by now, is removed. */
static void leave_in_turn(struct lp_live *live, const struct lp_box_item *v)
{
	struct lp_box *b = live->self;
	const struct lp_box_item *a = b->first == LP_NO_ITEM ? NULL : lp_box_at(b, b->first);

	if (a && a->in_end < v->in_start) {
		lp_box_blame_in(live, a);
		lp_box_blame_in(live, v);
		lp_box_blame_out(live, v);
		lp_live_wrong(live, "values are removed in another order than they were inserted, or one was lost", 0);
	}
	if (v->in_start > b->known_from && b->unknown_until > v->out_end)
		b->unknown_until = v->out_end;
}

static void end_remove(struct lp_live *live, const struct lp_live_call *c, uint64_t handle)
{
	struct lp_box *b = live->self;
	const uint32_t i = (uint32_t)(handle & ~SECOND) - 1;
	struct lp_box_item *v = lp_box_at(b, i);

	v->users--;
	if (v->flags & LP_BOX_UNCLEAR) {
		/* It had not been counted, since it looked wrong when it started. */
		v->balance -= (handle & SECOND) && !may_be_before(live, c->start);
		lp_box_settle(b, i);
		return;
	}
	if (handle & SECOND) {
		if (v->flags & LP_BOX_IN)
			lp_box_blame_in(live, v);
		lp_box_blame_out(live, v);
		lp_live_blame_call(live, c);
		if (v->out_start <= b->unknown_until || c->start <= b->unknown_until) {
			lp_live_stuck(live, "a value was removed twice that may have been there before");
			live->core_count = 0;
		} else {
			/* As long as the first removal goes on, it may be that of a later
			 * insertion. */
			lp_live_wrong(live, "a value is removed twice", v->out_end);
		}
		return;
	}
	v->flags |= LP_BOX_OUT_DONE;
	if (!(v->flags & LP_BOX_IN)) {
		end_unknown(live, c, v);
		v->flags |= LP_BOX_UNCLEAR; /* to the other calls on it that are going on */
		lp_box_settle(b, i);
		return;
	}
	if (!b->knots)
		leave_in_turn(live, v);
	lp_box_settle(b, i);
}

/* The first of two calls that were noted together ends, or a call that was noted alone. */
static void end_brief(struct lp_live *live, const struct lp_live_call *c, struct lp_box_brief *f)
{
	const struct lp_box *b = live->self;

	if (lp_brief_is_whole(f)) {
		if (!b->knots)
			leave_in_turn(live, &(struct lp_box_item){ .value = f->value,
								   .in_start = f->time,
								   .in_end = f->time,
								   .out_start = f->time,
								   .out_end = f->time,
								   .in_thread = f->in_thread,
								   .out_thread = f->out_thread });
	} else if (lp_brief_expand(live, f)) {
		if (part_of(b, c) == INSERT)
			end_insert(live, f->item);
		else
			end_remove(live, c, (uint64_t)f->item + 1);
	}
}

/* Calls that together cover the time of one that found nothing: of those that were
 * certain early enough, the one that was so longest, and so on. */
static void blame_cover(struct lp_live *live, uint64_t from, uint64_t to)
{
	const struct lp_box *b = live->self;
	const uint32_t count = b->past_count < LP_BOX_PAST ? b->past_count : LP_BOX_PAST;

	while (from <= to && live->core_count + 2 < LP_LIVE_CORE) {
		const struct lp_box_item *now = NULL;
		const struct lp_box_past *past = NULL;
		uint64_t until = from;
		for (uint32_t i = b->first; i != LP_NO_ITEM; i = lp_box_at(b, i)->after) {
			if (lp_box_at(b, i)->in_end < from) {
				now = lp_box_at(b, i);
				break; /* it is still there */
			}
		}
		for (uint32_t i = 0; !now && i < count; i++) {
			if (b->past[i].in_end < from && b->past[i].out_start > until) {
				past = &b->past[i];
				until = past->out_start;
			}
		}
		if (!now && !past)
			return;
		struct lp_box_item v;
		if (now)
			v = *now;
		else
			v = (struct lp_box_item){ .value = past->value,
						  .in_start = past->in_start,
						  .in_end = past->in_end,
						  .out_start = past->out_start,
						  .out_end = past->out_end,
						  .in_thread = past->in_thread,
						  .out_thread = past->out_thread };
		lp_box_blame_in(live, &v);
		if (now)
			return;
		lp_box_blame_out(live, &v);
		from = until;
	}
}

static void end_nothing(struct lp_live *live, const struct lp_live_call *c, uint64_t rank)
{
	struct lp_box *b = live->self;

	if (b->certain && b->not_zero <= rank) {
		lp_live_blame_call(live, c);
		blame_cover(live, c->start, c->end);
		lp_live_wrong(live, "nothing was found, although a value was present all the time", 0);
	}
	if (c->start > b->known_from && b->unknown_until > c->end)
		b->unknown_until = c->end;
}

static void end(struct lp_live *live, const struct lp_live_call *c, uint64_t handle)
{
	struct lp_box *b = live->self;

	if (!handle)
		return;
	if (handle & LP_BRIEF) {
		end_brief(live, c, &b->briefs[handle & ~LP_BRIEF]);
		return;
	}
	switch (part_of(b, c)) {
	case INSERT:
		end_insert(live, (uint32_t)handle - 1);
		break;
	case REMOVE:
		end_remove(live, c, handle);
		break;
	case FINDS_NOTHING:
		end_nothing(live, c, handle);
		break;
	case FAILS:
		lp_live_blame_call(live, c);
		lp_live_wrong(live, "an insertion failed", 0);
		break;
	case NO_PART:
		break;
	}
}

static void forget(struct lp_live *live, bool unknown, uint64_t until)
{
	struct lp_box *b = live->self;

	lp_table_clear(&b->items);
	b->first = b->last = LP_NO_ITEM;
	b->certain = 0;
	live->has_runs = true;
	b->not_zero = live->rank;
	b->unknown_until = unknown ? LP_LIVE_NEVER : 0;
	b->known_from = until;
	b->past_count = 0;
	memset(b->briefs, 0, sizeof b->briefs);
	if (b->knots)
		lp_live_knots_forget(b);
}

static void look(struct lp_live *live)
{
	const struct lp_box *b = live->self;

	if (b->knots)
		lp_live_knots_look(live);
}

static bool open_box(struct lp_live *live, bool stack)
{
	struct lp_box *b = lp_try_alloc_zero(1, sizeof *b);
	const int bounded = lp_spec_param(live->spec, "bounded");

	live->self = b;
	if (!b)
		return false;
	b->insert = lp_kind_method(live->spec->kind, LP_VERB_INSERT);
	b->remove = lp_kind_method(live->spec->kind, LP_VERB_TAKE);
	b->is_empty = lp_kind_method(live->spec->kind, LP_VERB_IS_EMPTY);
	b->bounded = bounded >= 0 && live->spec->param[bounded];
	return lp_table_open(&b->items, sizeof(struct lp_box_item), live->most) &&
	       (!stack || lp_live_knots_open(b));
}

static bool open_queue(struct lp_live *live)
{
	return open_box(live, false);
}

static bool open_stack(struct lp_live *live)
{
	return open_box(live, true);
}

static void close_box(struct lp_live *live)
{
	struct lp_box *b = live->self;

	if (!b)
		return;
	lp_table_close(&b->items);
	lp_live_knots_close(b);
	lp_free(b);
}

static uint64_t bytes(const struct lp_live *live)
{
	const struct lp_box *b = live->self;
	return sizeof *b + lp_table_bytes(&b->items) + (b->knots ? lp_live_knots_bytes(b) : 0);
}

const struct lp_live_kind lp_live_queue = {
	.open = open_queue,
	.close = close_box,
	.forget = forget,
	.start = start,
	.end = end,
	.starts = lp_brief_starts,
	.ends = lp_brief_ends,
	.look = look,
	.bytes = bytes,
};
const struct lp_live_kind lp_live_stack = {
	.open = open_stack,
	.close = close_box,
	.forget = forget,
	.start = start,
	.end = end,
	.starts = lp_brief_starts,
	.ends = lp_brief_ends,
	.look = look,
	.bytes = bytes,
};
