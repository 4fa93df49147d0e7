/* test_folds.c -- which steps are shown in one row, against the definition, on random executions. */
#include "report/decisive.h"
#include "report/folds.h"
#include "report/result.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 14, RUNS = 20000 };

static uint32_t state = 20221;

static uint32_t below(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % n;
}

static struct lp_result_step steps[STEPS];
static struct lp_result_client client;

/* Thread 0 mostly at the ends; reads from earlier steps. */
static struct lp_result_violation make(void)
{
	struct lp_result_violation v = { .steps = steps, .step_count = 1 + below(STEPS), .thread = below(3) };
	const uint32_t first = below(STEPS), last = below(STEPS);

	for (uint32_t i = 0; i < v.step_count; i++) {
		const bool reads = below(2), starts = !below(8);
		const uint32_t thread = i < first || i > last ? 0 : below(3);
		steps[i] = (struct lp_result_step){
			.thread = thread,
			.action = starts ? "start T1" : "access",
			.place = starts ? 0 : 1 + below(2),
			.has_read = reads && !starts,
			.has_wrote = !reads && !starts,
			.reads_from = !reads || starts ? LP_RESULT_NO_STEP : i && below(4) ? below(i) : LP_RESULT_INITIAL,
			.overwrites = reads || starts ? LP_RESULT_NO_STEP : i && below(4) ? below(i) : LP_RESULT_INITIAL,
		};
	}
	client = (struct lp_result_client){ .pre = below(2) };
	v.client = below(3) ? &client : NULL;
	v.where = below(2) ? "a.c:1" : NULL;
	v.loop = below(8) ? 0 : 1 + below(v.step_count);
	if (v.step_count > 1 && !below(4)) {
		v.race[1] = 2 + below(v.step_count - 1);
		v.race[0] = 1 + below(v.race[1] - 1);
	}
	return v;
}

static bool is_last_of_its_thread(const struct lp_result_violation *v, uint32_t step)
{
	for (uint32_t i = step + 1; i < v->step_count; i++)
		if (steps[i].thread == steps[step].thread)
			return false;
	return true;
}

static bool explains(const struct lp_result_violation *v, uint32_t step)
{
	char why[LP_DECISIVE_ROOM];
	const uint32_t decisive = lp_decisive_step(v, why);

	if (why[0] && (step == decisive || step == steps[decisive].reads_from || step == lp_decisive_missed(v, decisive)))
		return true;
	return step + 1 == v->race[0] || step + 1 == v->race[1] ||
	       (v->where && steps[step].thread == v->thread && is_last_of_its_thread(v, step));
}

/* Of the steps before `step`, or after it: does any belong to another thread, or start one? */
static bool others_between(const struct lp_result_violation *v, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		if (steps[i].thread || (!v->client && !strncmp(steps[i].action, "start ", 6)))
			return true;
	return false;
}

/* Is it one that may be folded, were there enough of them? */
static bool may_fold(const struct lp_result_violation *v, uint32_t step)
{
	if (explains(v, step) || !others_between(v, 0, v->step_count))
		return false;
	if (!others_between(v, 0, step + 1))
		return true;
	return v->client && !v->loop && (!v->where || v->thread) && !others_between(v, step, v->step_count);
}

static bool is_folded(const struct lp_result_violation *v, uint32_t step)
{
	uint32_t from = step, to = step;

	if (!may_fold(v, step))
		return false;
	while (from && may_fold(v, from - 1))
		from--;
	while (to + 1 < v->step_count && may_fold(v, to + 1))
		to++;
	return to - from + 1 >= (v->client ? 2 : 4);
}

static bool agrees(const struct lp_result_violation *v)
{
	struct lp_result_fold folds[LP_FOLDS_MOST];
	const uint32_t count = lp_result_folds(v, folds);
	uint32_t covered[STEPS] = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		if (i && folds[i].from <= folds[i - 1].to)
			return false;
		for (uint32_t step = folds[i].from; step <= folds[i].to; step++)
			covered[step]++;
		const bool ends = others_between(v, 0, folds[i].from);
		const enum lp_fold_kind begins = !v->client ? LP_FOLD_MAIN : client.pre ? LP_FOLD_FIRST : LP_FOLD_SETUP;
		if (folds[i].kind != (ends ? LP_FOLD_END : begins))
			return false;
	}
	for (uint32_t i = 0; i < v->step_count; i++)
		if (covered[i] != is_folded(v, i))
			return false;
	return true;
}

int main(void)
{
	uint32_t seen[4] = { 0 }, split = 0;

	printf("seed %u\n", state);
	for (uint32_t i = 0; i < RUNS; i++) {
		const uint32_t seed = state;
		const struct lp_result_violation v = make();
		struct lp_result_fold folds[LP_FOLDS_MOST];
		if (!agrees(&v)) {
			printf("wrong folds of the execution of seed %u, of %u steps\n", seed, v.step_count);
			return 1;
		}
		const uint32_t count = lp_result_folds(&v, folds);
		for (uint32_t k = 0; k < count; k++)
			seen[folds[k].kind]++;
		split += count > 1 && folds[0].kind == folds[1].kind;
	}
	printf("%u set-ups, %u with calls, %u of main, %u at the end; %u in pieces\n", seen[0], seen[1], seen[2], seen[3], split);
	return !(seen[0] && seen[1] && seen[2] && seen[3] && split);
}
