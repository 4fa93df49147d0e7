/* convert_hb.c -- happens-before, from clocks to the edges that reports draw.
 *
 * A step's clock says how many events of each thread happen before the step.  Clocks are closed under
 * happens-before, so one edge per thread is enough: from the last step of that thread that happens before the step.  The edge is left
 * out if the previous step in the same thread, or another edge, already implies it.  The edges that are
 * left, together with the order in each thread, have the same transitive closure as the clocks.
 *
 * Ends of threads are listed last, after the steps that join them.  No edge begins at the end of a thread, because the step before it
 * has the same meaning.
 */
#include "verify/view/convert_hb.h"

#include "base/alloc.h"
#include "explore/explore.h"
#include "report/result.h"

static bool begins_edges(const struct lp_exploration *e, const uint32_t *index, uint32_t i)
{
	return index[i] != LP_RESULT_NO_STEP && e->steps[i].op.kind != LP_OP_END;
}

/* The steps from which edges may come, by thread; within one in its order. */
struct lanes {
	const struct lp_step *steps;
	uint32_t threads;
	uint32_t *first; /* where a thread's begin in `at`; one more at the end */
	uint32_t *at;
};

static struct lanes sort_steps(const struct lp_exploration *e, const uint32_t *index,
			       struct lp_arena *arena)
{
	struct lanes l = { .steps = e->steps };
	uint32_t *used;

	for (uint32_t i = 0; i < e->step_count; i++)
		if (e->steps[i].thread >= l.threads)
			l.threads = e->steps[i].thread + 1;
	l.first = lp_arena_alloc(arena, sizeof *l.first * (l.threads + 1));
	l.at = lp_arena_alloc(arena, sizeof *l.at * (e->step_count + 1));
	used = lp_arena_alloc(arena, sizeof *used * (l.threads + 1));
	for (uint32_t i = 0; i < e->step_count; i++)
		if (begins_edges(e, index, i))
			l.first[e->steps[i].thread + 1]++;
	for (uint32_t t = 0; t < l.threads; t++)
		l.first[t + 1] += l.first[t];
	for (uint32_t i = 0; i < e->step_count; i++)
		if (begins_edges(e, index, i)) {
			const uint32_t t = e->steps[i].thread;
			l.at[l.first[t] + used[t]++] = i;
		}
	return l;
}

static uint32_t clock_at(const struct lp_step *s, uint32_t thread)
{
	return thread < s->hb_width ? s->hb[thread] : 0;
}

/* The last step of a thread among its first `events` events; LP_STEP_NONE if there is none. */
static uint32_t last_before(const struct lanes *l, uint32_t thread, uint32_t events)
{
	uint32_t low = l->first[thread], high = l->first[thread + 1];

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (l->steps[l->at[middle]].event < events)
			low = middle + 1;
		else
			high = middle;
	}
	return low > l->first[thread] ? l->at[low - 1] : LP_STEP_NONE;
}

static bool is_implied(const struct lanes *l, const struct lp_step *s, uint32_t thread,
		       uint32_t source, const uint32_t *last)
{
	const uint32_t event = l->steps[source].event;
	const uint32_t before = last_before(l, s->thread, s->event);

	if (before != LP_STEP_NONE && event < clock_at(&l->steps[before], thread))
		return true;
	for (uint32_t u = 0; u < l->threads; u++)
		if (u != thread && last[u] != LP_STEP_NONE &&
		    event < clock_at(&l->steps[last[u]], thread))
			return true;
	return false;
}

void lp_convert_hb(const struct lp_exploration *e, const uint32_t *index, struct lp_arena *arena,
		   struct lp_result_step *out)
{
	const struct lanes l = sort_steps(e, index, arena);
	uint32_t *last = lp_arena_alloc(arena, sizeof *last * (l.threads + 1));

	for (uint32_t i = 0; i < e->step_count; i++) {
		const struct lp_step *s = &e->steps[i];
		uint32_t *after, count = 0;

		if (index[i] == LP_RESULT_NO_STEP || !s->hb)
			continue;
		for (uint32_t t = 0; t < l.threads; t++) {
			last[t] = t == s->thread ? LP_STEP_NONE : last_before(&l, t, clock_at(s, t));
			count += last[t] != LP_STEP_NONE;
		}
		after = lp_arena_alloc(arena, sizeof *after * (count + 1));
		count = 0;
		for (uint32_t t = 0; t < l.threads; t++)
			if (last[t] != LP_STEP_NONE && !is_implied(&l, s, t, last[t], last))
				after[count++] = index[last[t]];
		out[index[i]].after = after;
		out[index[i]].after_count = count;
	}
}
