/* trail.c -- notes the plain accesses between two operations while an execution is replayed for a
 * report. */
#include "explore/trail.h"

#include "base/alloc.h"
#include "base/error.h"

/* Accesses of other sizes are parts of a copy, whose values are of little interest. */
static bool has_value(size_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

static void read_value(struct lp_trail *trail, struct lp_plain_step *p)
{
	p->known = has_value(p->size) && trail->program->class->initial(trail->program, p->loc, (unsigned)p->size, &p->value);
}

void lp_trail_settle(struct lp_trail *trail)
{
	if (trail->unsettled && trail->count)
		read_value(trail, &LP_LAST(trail).plain);
	trail->unsettled = false;
}

void lp_trail_note(struct lp_trail *trail, const struct lp_plain_step *plain, uint32_t performed)
{
	lp_trail_settle(trail);
	LP_HOLDS(!trail->count || LP_LAST(trail).performed <= performed);
	if (trail->count == LP_TRAIL_MOST)
		return;
	LP_PUSH(trail, ((struct lp_trail_note){ *plain, performed }));
	if (plain->write)
		trail->unsettled = true;
	else
		read_value(trail, &LP_LAST(trail).plain);
}

void lp_trail_stops(struct lp_trail *trail)
{
	trail->wrong = trail->count;
	trail->unsettled = false;
}

void lp_trail_wrong(struct lp_trail *trail, const struct lp_value *wrote)
{
	LP_HOLDS(!trail->unsettled || (trail->count && LP_LAST(trail).plain.write));
	struct lp_plain_step *p = trail->wrong && trail->wrong <= trail->count ? &trail->at[trail->wrong - 1].plain : NULL;

	if (p && p->write && has_value(p->size)) {
		p->value = *wrote;
		p->known = true;
	}
}

void lp_trail_cut(struct lp_trail *trail, uint32_t performed)
{
	trail->unsettled = false;
	while (trail->count && LP_LAST(trail).performed > performed)
		trail->count--;
}

void lp_trail_drop(struct lp_trail *trail)
{
	lp_free(trail->at);
}
