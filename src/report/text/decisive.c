/* decisive.c -- which steps of an execution tell most about what went wrong. */
#include "report/text/decisive.h"

#include <stdbool.h>

#include "report/result.h"

static bool is_step(uint32_t index)
{
	return index < LP_RESULT_INITIAL;
}

uint32_t lp_decisive_missed(const struct lp_result_violation *v, uint32_t step)
{
	const struct lp_result_step *s = &v->steps[step];

	if (s->reads_from == LP_RESULT_NO_STEP || !s->has_read || !s->place)
		return LP_RESULT_NO_STEP;
	for (uint32_t i = 0; i < step; i++) {
		const struct lp_result_step *write = &v->steps[i];
		if (write->has_wrote && write->place == s->place && write->overwrites == s->reads_from &&
		    write->thread != s->thread)
			return i;
	}
	return LP_RESULT_NO_STEP;
}

/* Has the thread read the write that the step overwrites? */
static bool has_seen(const struct lp_result_violation *v, uint32_t step)
{
	for (uint32_t i = 0; i <= step; i++)
		if (v->steps[i].thread == v->steps[step].thread &&
		    v->steps[i].reads_from == v->steps[step].overwrites)
			return true;
	return false;
}

static bool is_last_of(const struct lp_result_violation *v, uint32_t step, uint32_t thread)
{
	if (v->steps[step].thread != thread)
		return false;
	for (uint32_t i = step + 1; i < v->step_count; i++)
		if (v->steps[i].thread == thread)
			return false;
	return true;
}

enum lp_step_weight lp_step_weight(const struct lp_result_violation *v, uint32_t step)
{
	const struct lp_result_step *s = &v->steps[step];

	if (step + 1 == v->step_count || (v->where && is_last_of(v, step, v->thread)))
		return LP_STEP_LAST;
	if (is_step(lp_decisive_missed(v, step)))
		return LP_STEP_OLD;
	if (is_step(s->reads_from) && v->steps[s->reads_from].thread != s->thread)
		return LP_STEP_MEETS;
	if (is_step(s->overwrites) && v->steps[s->overwrites].thread != s->thread && !has_seen(v, step))
		return LP_STEP_MEETS;
	return LP_STEP_OWN;
}
