/* decisive.c -- the most informative steps of an execution. */
#include "report/decisive.h"

#include <stdbool.h>
#include <stdio.h>

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

/* Is `other` a step of another thread?  What is set up before the threads of a client belongs to all of them. */
static bool is_foreign(const struct lp_result_violation *v, uint32_t step, uint32_t other)
{
	return is_step(other) && v->steps[other].thread != v->steps[step].thread && (v->steps[other].thread || !v->client);
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
	if (s->pending || v->race[0] == step + 1 || v->race[1] == step + 1)
		return LP_STEP_PARTY;
	if (is_step(lp_decisive_missed(v, step)))
		return LP_STEP_OLD;
	if (is_foreign(v, step, s->reads_from) || (is_foreign(v, step, s->overwrites) && !has_seen(v, step)))
		return LP_STEP_MEETS;
	return LP_STEP_OWN;
}

uint32_t lp_decisive_step(const struct lp_result_violation *v, char why[LP_DECISIVE_ROOM])
{
	uint32_t old = LP_RESULT_NO_STEP, met = LP_RESULT_NO_STEP;

	why[0] = '\0';
	if (v->race[0] && v->race[1]) {
		snprintf(why, LP_DECISIVE_ROOM, "nothing orders it and step %u", v->race[0]);
		return v->race[1] - 1;
	}
	for (uint32_t i = 0; i < v->step_count; i++) {
		if (is_step(lp_decisive_missed(v, i)))
			old = i;
		if (is_foreign(v, i, v->steps[i].reads_from))
			met = i;
	}
	if (is_step(old)) {
		const uint32_t missed = lp_decisive_missed(v, old);
		snprintf(why, LP_DECISIVE_ROOM, "reads an old value: T%u has written another one in step %u", v->steps[missed].thread,
			 missed + 1);
		return old;
	}
	if (is_step(met)) {
		snprintf(why, LP_DECISIVE_ROOM, "reads what T%u has written", v->steps[v->steps[met].reads_from].thread);
		return met;
	}
	return v->step_count - 1;
}
