/* convert_plain.c -- which plain accesses a report shows, and the two parties of a race. */
#include "verify/view/convert_plain.h"

#include <string.h>

#include "base/value.h"
#include "explore/explore.h"
#include "report/result.h"

enum { MOST = 200 }; /* of those that are shown: an execution with more is not read line by line */

static bool overlap(uintptr_t a, size_t a_size, uintptr_t b, size_t b_size)
{
	return a < b + b_size && b < a + a_size;
}

/* The last access of the thread at that place that has the address. */
static struct lp_party find_party(const struct lp_exploration *e, lp_tid thread, uintptr_t pc, bool atomic)
{
	struct lp_party found = { LP_STEP_NONE, LP_STEP_NONE };
	const uintptr_t loc = e->error.loc;

	for (uint32_t i = 0; atomic && i < e->step_count; i++) {
		const struct lp_op *op = &e->steps[i].op;
		if (e->steps[i].thread == thread && op->pc == pc && overlap(op->loc, op->size, loc, 1))
			found.step = i;
	}
	for (uint32_t i = 0; !atomic && i < e->plain_count; i++) {
		const struct lp_plain_step *p = &e->plains[i];
		if (p->thread == thread && p->pc == pc && overlap(p->loc, p->size, loc, 1))
			found.plain = i;
	}
	return found;
}

/* If several accesses between two events of a thread race for the same reason, only one is reported (race.h).  The
 * last one is the most informative, since the first may be that of calloc(). */
static uint32_t last_like(const struct lp_exploration *e, uint32_t plain)
{
	const struct lp_plain_step *p = &e->plains[plain];
	uint32_t last = plain;

	for (uint32_t i = 0; i < e->plain_count; i++) {
		const struct lp_plain_step *q = &e->plains[i];
		if (q->thread == p->thread && q->index == p->index && q->number > e->plains[last].number &&
		    q->write == p->write && overlap(q->loc, q->size, e->error.loc, 1))
			last = i;
	}
	return last;
}

bool lp_convert_race_parties(const struct lp_exploration *e, struct lp_party *first, struct lp_party *second)
{
	*first = *second = (struct lp_party){ LP_STEP_NONE, LP_STEP_NONE };
	if (e->step_count > 1 && e->steps[e->step_count - 1].racing) {
		first->step = e->step_count - 2;
		second->step = e->step_count - 1;
		return true;
	}
	if (e->kind != LP_ERROR_RACE || !e->error.pc)
		return false;
	*second = find_party(e, e->thread, e->error.pc, e->error.atomic);
	if (!e->error.other_fresh)
		*first = find_party(e, e->error.other_thread, e->error.other_pc, e->error.other_atomic);
	if (first->plain != LP_STEP_NONE)
		first->plain = last_like(e, first->plain);
	return second->step != LP_STEP_NONE || second->plain != LP_STEP_NONE;
}

/* Do other threads access the same memory, and does any of them write? */
static bool is_shared(const struct lp_exploration *e, const struct lp_plain_step *p)
{
	bool others = false, written = false;

	for (uint32_t i = 0; i < e->plain_count; i++) {
		const struct lp_plain_step *q = &e->plains[i];
		if (q->early || !overlap(p->loc, p->size, q->loc, q->size))
			continue;
		others |= q->thread != p->thread;
		written |= q->write;
	}
	return others && written;
}

void lp_plains_choose(const struct lp_exploration *e, bool *chosen)
{
	struct lp_party first, second;
	uint32_t count = 0;

	for (uint32_t i = e->plain_count; i-- > 0;) { /* the last ones tell most */
		const struct lp_plain_step *p = &e->plains[i];
		chosen[i] = !p->early && p->known && count < MOST && is_shared(e, p);
		count += chosen[i];
	}
	lp_convert_race_parties(e, &first, &second);
	if (first.plain != LP_STEP_NONE)
		chosen[first.plain] = true;
	if (second.plain != LP_STEP_NONE)
		chosen[second.plain] = true;
}

void lp_convert_plain(const struct lp_plain_step *p, struct lp_result_step *out)
{
	*out = (struct lp_result_step){
		.thread = p->thread, .event = p->index, .plain = true,
		.action = p->write ? "store" : "load", .location = p->location, .order = "plain",
		.has_read = p->known && !p->write, .has_wrote = p->known && p->write,
		.read = p->value, .wrote = p->value, .size = (unsigned)p->size,
		.read_name = p->name, .wrote_name = p->name,
		.reads_from = LP_RESULT_NO_STEP, .overwrites = LP_RESULT_NO_STEP, .where = p->where,
		.function = p->function, .caller = p->caller,
	};
}

void lp_plain_origins(struct lp_result_step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct lp_result_step *s = &steps[i];
		for (uint32_t k = i; s->plain && s->has_read && k-- > 0;)
			if (steps[k].has_wrote && steps[k].place == s->place) {
				if (steps[k].size == s->size && lp_value_equal(steps[k].wrote, s->read))
					s->reads_from = k;
				break;
			}
	}
}
