/* walk.c -- the position of a walk through the graphs, and the choices that can be given to other
 * processes. */
#include "explore/graph/walk.h"

#include "base/error.h"
#include "explore/graph/frame.h"

/* Goes one choice deeper: updates the fraction of the tree below the choice, and the fraction before it. */
static void descend(const struct lp_choice *c, double *share, double *before)
{
	const uint32_t total = c->total ? c->total : 1;
	const uint32_t tried = c->tried ? c->tried - 1 : 0;

	LP_HOLDS(*share >= 0 && *share <= 1 && *before >= 0);
	*share /= total;
	*before += *share * (tried < total ? tried : total - 1);
}

double lp_walk_visited(const struct lp_explorer *x)
{
	double share = x->walk.share, sum = x->walk.visited;

	for (uint32_t d = 0; d < x->depth; d++) {
		const struct lp_frame *f = x->frames.at[d];
		for (uint32_t i = 0; i < f->choices.count; i++)
			descend(&f->choices.at[i], &share, &sum);
	}
	LP_HOLDS(sum <= 1 + 1e-9);
	return sum;
}

/* Is there a read among the first `n` events that the write of choice c could perhaps revisit? A
 * quick test, which may be wrong in one direction only. */
static bool may_revisit(const struct lp_graph *g, const struct lp_choice *c, uint32_t n)
{
	const struct lp_loc *loc = &g->locs.at[c->proto.loc];

	for (uint32_t i = 0; i < loc->reads.count && loc->reads.at[i] < n; i++)
		if (!lp_graph_porf(g, loc->reads.at[i], c->event))
			return true;
	return false;
}

/* False only if the choice has no alternative, and never will have. */
static bool may_have_alternatives(const struct lp_explorer *x, const struct lp_frame *f,
				  const struct lp_choice *c)
{
	if (c->given)
		return false;
	switch ((enum lp_choice_kind)c->kind) {
	case LP_CHOICE_READ:
		return c->next != UINT32_MAX && c->next >= 2 * c->floor;
	case LP_CHOICE_NUMBER:
		return c->next < x->ops.op.at[c->proto.op].op.count;
	case LP_CHOICE_REVISIT:
		return c->next > 2 * c->floor + 1;
	case LP_CHOICE_WRITE:
		if (c->revisiting)
			return may_revisit(&f->g, c, c->next);
		return c->in_conflict || c->next > c->floor || may_revisit(&f->g, c, c->event);
	}
	return true;
}

struct lp_choice *lp_walk_spare(struct lp_explorer *x, struct lp_frame **frame, double *share,
				double *before)
{
	*share = x->walk.share;
	*before = x->walk.visited;
	for (uint32_t d = 0; d < x->depth; d++) {
		struct lp_frame *f = x->frames.at[d];
		for (uint32_t i = 0; i < f->choices.count; i++) {
			struct lp_choice *c = &f->choices.at[i];
			if (may_have_alternatives(x, f, c)) {
				*frame = f;
				return c;
			}
			descend(c, share, before);
		}
	}
	return NULL;
}
