/* live_brief.c -- brief values, which are inserted and removed within one tick; see live_brief.h.
 *
 * The loops here process nearly every call of a fast program.  So they read the records in place, and leave
 * everything that is not simple to live_box.c.
 */
#include "monitor/live/live_brief.h"

#define METHOD_BITS (UINT64_C(255) << LP_MONITOR_METHOD)

/* By the uppermost bits, which spread rows of values best. */
static struct lp_box_brief *place_of(struct lp_box *b, uint32_t hash)
{
	return &b->briefs[hash / (UINT32_MAX / LP_BOX_BRIEFS + 1)];
}

bool lp_brief_expand(struct lp_live *live, struct lp_box_brief *f)
{
	struct lp_box *b = live->self;

	if (f->item != LP_NO_ITEM)
		return true;
	f->item = lp_table_need(&b->items, f->value);
	if (f->item == LP_NO_ITEM) {
		lp_live_stuck(live, LP_LIVE_TOO_MANY);
		return false;
	}
	struct lp_box_item *v = lp_box_at(b, f->item);
	v->flags = f->flags;
	v->users = 1; /* the first: nothing is heard of the second any more */
	v->in_start = v->in_end = v->out_start = v->out_end = f->time;
	v->in_thread = f->in_thread;
	v->out_thread = f->out_thread;
	return true;
}

void lp_brief_forestall(struct lp_live *live, int64_t value)
{
	struct lp_box *b = live->self;
	struct lp_box_brief *f = place_of(b, lp_table_hash(value));

	if (f->time == live->now && f->value == value)
		lp_brief_expand(live, f);
}

/* An insertion or removal that did what it should, and of what value; else 0. */
static inline uint32_t part_of(const struct lp_box *b, const struct lp_monitor_record *rec,
			       uint64_t end, int64_t *value)
{
	const uint64_t method = rec->end >> LP_MONITOR_METHOD;

	if ((rec->end & ~METHOD_BITS) != end)
		return 0;
	if (method == b->insert) {
		*value = rec->arg;
		return rec->result == 0 || rec->result == LP_FULL ? 0 : LP_BOX_IN;
	}
	*value = rec->result;
	return method != b->remove || rec->result == LP_EMPTY || rec->result == LP_NIL ||
			       rec->result == LP_VOID ?
		       0 :
		       LP_BOX_OUT;
}

uint64_t lp_brief_starts(struct lp_live *live, const struct lp_live_run *run)
{
	struct lp_box *b = live->self;
	uint64_t i = run->from;
	int64_t value;

	if (live->repeats)
		return 0;
	b->brief_time = run->time;
	for (; i < run->to; i++) {
		struct lp_monitor_record *rec = &run->records[i & run->mask];
		if (rec->start < run->floor)
			rec->start = run->floor;
		/* One that starts later does not end now. */
		const uint32_t part = part_of(b, rec, run->time, &value);
		if (!part)
			break;
		const uint32_t hash = lp_table_hash(value);
		struct lp_box_brief *f = place_of(b, hash);
		if (f->time == run->time) {
			if (f->value != value || f->flags & part || f->item != LP_NO_ITEM)
				break;
			f->flags |= part;
			run->handles[i & run->mask] = 0;
		} else if (!lp_table_may_have(&b->items, hash)) {
			f->value = value;
			f->time = run->time;
			f->item = LP_NO_ITEM;
			f->flags = part;
			run->handles[i & run->mask] = LP_BRIEF | (uint64_t)(f - b->briefs);
		} else {
			break;
		}
		*(part == LP_BOX_IN ? &f->in_thread : &f->out_thread) = run->thread;
	}
	return i - run->from;
}

uint64_t lp_brief_ends(struct lp_live *live, const struct lp_live_run *run)
{
	const struct lp_box *b = live->self;
	uint64_t i = run->from;

	/* In a queue: have they overtaken something, or are they a sign that all of before is
	 * gone?  Neither changes by ends of this time. */
	if (!b->knots && (b->unknown_until > run->time ||
			  (b->first != LP_NO_ITEM && lp_box_at(b, b->first)->in_end < run->time)))
		return 0;
	for (; i < run->to; i++) {
		const uint64_t handle = run->handles[i & run->mask];
		if ((run->records[i & run->mask].end & ~METHOD_BITS) != run->time)
			break;
		if (handle && (!(handle & LP_BRIEF) || !lp_brief_is_whole(&b->briefs[handle & ~LP_BRIEF])))
			break;
	}
	return i - run->from;
}
