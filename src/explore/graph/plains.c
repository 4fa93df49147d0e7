/* plains.c -- plain accesses, in the order in which they were performed. */
#include "explore/graph/plains.h"

#include "base/error.h"

enum {
	RUN = 128, /* the accesses between two operations that are logged individually */
	KINDS = 8, /* of them */
};

static bool is_within(const struct lp_plain_access *a, const struct lp_plain_access *other)
{
	return a->loc - other->loc < other->size && a->size <= other->size - (a->loc - other->loc) &&
	       a->write == other->write && a->own == other->own && a->found == other->found &&
	       a->apart == other->apart;
}

/* Has the thread logged no access at a later index? */
static bool is_latest(const struct lp_plains *p, const struct lp_plain_access *a)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (p->at[i].thread == a->thread && p->at[i].index > a->index)
			return false;
	return true;
}

void lp_plains_log(struct lp_plains *p, struct lp_plain_access a)
{
	LP_HOLDS(a.size || a.apart);
	a.nth = 0;
	for (uint32_t i = p->count; i-- > 0 && p->count - i <= KINDS;) {
		const struct lp_plain_access *last = &p->at[i];
		if (last->thread != a.thread || last->index != a.index)
			break;
		if (is_within(&a, last))
			return;
		if (i == p->count - 1)
			a.nth = last->nth + 1;
	}
	if (a.nth >= RUN) { /* as if all were accessed */
		a.loc = 0;
		a.size = SIZE_MAX;
	}
	LP_AGREES(is_latest(p, &a));
	LP_PUSH(p, a);
}

bool lp_plains_wrote_between(const struct lp_plains *p, lp_tid t, uint32_t index, uint32_t end)
{
	for (uint32_t i = p->count; i-- > 0;) {
		const struct lp_plain_access *a = &p->at[i];
		if (a->thread == t && a->index < index)
			return false;
		if (a->thread == t && a->index <= end && a->write && !a->apart)
			return true;
	}
	return false;
}

bool lp_plains_wrote_since(const struct lp_plains *p, lp_tid t, uint32_t index)
{
	return lp_plains_wrote_between(p, t, index, UINT32_MAX);
}

bool lp_plains_touched_since(const struct lp_plains *p, lp_tid t, uint32_t index)
{
	for (uint32_t i = p->count; i-- > 0;)
		if (p->at[i].thread == t && !p->at[i].own)
			return p->at[i].index >= index;
	return false;
}
