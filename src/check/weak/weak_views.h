/* weak_views.h -- views: sets of updates that were seen.
 *
 * A view is an array of 32-bit cells.  With LP_MW, a set that contains an update contains all earlier updates of the same
 * session, so the view is a clock of updates: for each session, the number of its updates in the set.  Without LP_MW, the view
 * of a counter has one bit per update; for other objects the view is a clock of calls (weak_reads.h).
 */
#ifndef LP_CHECK_WEAK_WEAK_VIEWS_H
#define LP_CHECK_WEAK_WEAK_VIEWS_H

#include <string.h>

#include "check/weak/weak_calls.h"

struct lp_views {
	const struct lp_weak_calls *w;
	bool clocks;    /* views are clocks; false: they have one bit per update */
	uint32_t cells; /* the number of cells of a view */
};

static inline struct lp_views lp_views_of(const struct lp_weak_calls *w, bool clocks)
{
	return (struct lp_views){ w, clocks, clocks ? w->sessions : (w->updates.count + 31) / 32 };
}

static inline uint32_t *lp_views_alloc(const struct lp_views *v, uint32_t count)
{
	return lp_alloc_zero((size_t)v->cells * count + 1, sizeof(uint32_t));
}

static inline void lp_view_join(const struct lp_views *v, uint32_t *to, const uint32_t *from)
{
	if (v->clocks)
		for (uint32_t i = 0; i < v->cells; i++)
			to[i] = to[i] > from[i] ? to[i] : from[i];
	else
		for (uint32_t i = 0; i < v->cells; i++)
			to[i] |= from[i];
}

static inline void lp_view_copy(const struct lp_views *v, uint32_t *to, const uint32_t *from)
{
	memcpy(to, from, sizeof *to * v->cells);
}

static inline void lp_view_clear(const struct lp_views *v, uint32_t *row)
{
	memset(row, 0, sizeof *row * v->cells);
}

static inline bool lp_view_has(const struct lp_views *v, const uint32_t *row, uint32_t update)
{
	const struct lp_weak_update *u = &v->w->updates.at[update];

	return v->clocks ? row[u->session] > u->place : row[update / 32] >> update % 32 & 1;
}

/* Adds an update.  In a clock, this also adds all earlier updates of the same session. */
static inline void lp_view_add(const struct lp_views *v, uint32_t *row, uint32_t update)
{
	const struct lp_weak_update *u = &v->w->updates.at[update];

	if (!v->clocks)
		row[update / 32] |= UINT32_C(1) << update % 32;
	else if (row[u->session] <= u->place)
		row[u->session] = u->place + 1;
}

/* Lists, for each session, the last update of the key that is in a clock of updates.  (Earlier updates of the session need not be
 * listed, since all orders keep the order of a session.)  `list` has room for all updates of the key.  Returns the number of
 * listed updates. */
uint32_t lp_view_list(const struct lp_views *v, const uint32_t *clock, uint32_t key, uint32_t *list);

/* Returns the sum of the amounts of the updates in the view.  `*any`: there are such updates. */
uint64_t lp_view_sum(const struct lp_views *v, const uint32_t *row, bool *any);

#endif
