/* state_clocks.c -- happens-before between the steps to a state, for reports.
 *
 * As in model/sc.c, a read synchronises with the write that it reads from, unless one of
 * them is plain.  The steps are in the order in which they were made, so one pass is enough: the
 * clock of each step joins that of the step before it in its thread and that of the write which it
 * reads.
 */
#include "explore/state/state_search.h"

void lp_search_clocks(struct lp_state_search *s, struct lp_step *steps, uint32_t count)
{
	const uint32_t width = s->options->processes + 1; /* threads count from 1 */
	const uint32_t *last[LP_STATE_PROCESSES + 1] = { NULL };

	for (uint32_t i = 0; i < count; i++) {
		struct lp_step *step = &steps[i];
		uint32_t *clock = lp_arena_alloc(s->arena, sizeof *clock * width);
		const struct lp_step *from = step->reads_from < i ? &steps[step->reads_from] : NULL;
		const bool acquires = from && step->op.order != LP_PLAIN && from->op.order != LP_PLAIN;

		for (uint32_t t = 0; t < width; t++) {
			clock[t] = last[step->thread] ? last[step->thread][t] : 0;
			if (acquires && from->hb[t] > clock[t])
				clock[t] = from->hb[t];
		}
		clock[step->thread] = step->event + 1;
		step->hb = last[step->thread] = clock;
		step->hb_width = width;
	}
}
