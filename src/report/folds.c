/* folds.c -- groups of steps that reports show as one row. */
#include "report/folds.h"

#include <stdbool.h>
#include <string.h>

#include "report/decisive.h"
#include "report/result.h"

enum {
	LEAST = 2,         /* the least number of steps in a fold: a single step takes no more room than the row that replaces it */
	LEAST_OF_MAIN = 4, /* a short beginning of a program is worth reading */
	NEEDED_MOST = 6,
};

struct fold_search {
	const struct lp_result_violation *v;
	uint32_t needed[NEEDED_MOST], needed_count;
	struct lp_result_fold *out;
	uint32_t count;
};

static void need(struct fold_search *f, uint32_t step)
{
	if (step < f->v->step_count)
		f->needed[f->needed_count++] = step;
}

static bool is_needed(const struct fold_search *f, uint32_t step)
{
	for (uint32_t i = 0; i < f->needed_count; i++)
		if (f->needed[i] == step)
			return true;
	return false;
}

static uint32_t last_step_of(const struct lp_result_violation *v, uint32_t thread)
{
	for (uint32_t i = v->step_count; i; i--)
		if (v->steps[i - 1].thread == thread)
			return i - 1;
	return LP_RESULT_NO_STEP;
}

static void find_needed(struct fold_search *f)
{
	const struct lp_result_violation *v = f->v;
	char why[LP_DECISIVE_ROOM];
	const uint32_t decisive = lp_decisive_step(v, why);

	if (why[0]) {
		need(f, decisive);
		need(f, v->steps[decisive].reads_from);
		need(f, lp_decisive_missed(v, decisive));
	}
	for (uint32_t i = 0; i < 2; i++)
		need(f, v->race[i] ? v->race[i] - 1 : LP_RESULT_NO_STEP);
	need(f, v->where ? last_step_of(v, v->thread) : LP_RESULT_NO_STEP);
}

/* Steps `from` to `end` - 1, without those that are needed. */
static void fold(struct fold_search *f, uint32_t from, uint32_t end, enum lp_fold_kind kind)
{
	const uint32_t least = kind == LP_FOLD_MAIN ? LEAST_OF_MAIN : LEAST;

	for (uint32_t i = from; i <= end; i++) {
		if (i < end && !is_needed(f, i))
			continue;
		if (i - from >= least && f->count < LP_FOLDS_MOST)
			f->out[f->count++] = (struct lp_result_fold){ kind, from, i - 1 };
		from = i + 1;
	}
}

/* How many steps thread 0 makes before any other thread; of a program, before it starts one. */
static uint32_t beginning(const struct lp_result_violation *v)
{
	uint32_t i = 0;

	while (i < v->step_count && !v->steps[i].thread && (v->client || strncmp(v->steps[i].action, "start ", 6)))
		i++;
	return i;
}

uint32_t lp_result_folds(const struct lp_result_violation *v, struct lp_result_fold out[LP_FOLDS_MOST])
{
	struct fold_search f = { .v = v, .out = out };
	const uint32_t first = beginning(v);
	uint32_t last = v->step_count;

	/* Of an execution of one thread, or one that goes wrong before there is another, all is told. */
	if (first == v->step_count)
		return 0;
	while (last && !v->steps[last - 1].thread)
		last--;
	find_needed(&f);
	fold(&f, 0, first, !v->client ? LP_FOLD_MAIN : v->client->pre ? LP_FOLD_FIRST : LP_FOLD_SETUP);
	if (v->client && !v->loop && !(v->where && !v->thread))
		fold(&f, last, v->step_count, LP_FOLD_END);
	return f.count;
}

const char *lp_fold_name(enum lp_fold_kind kind)
{
	static const char *const names[] = { "set-up", "set-up and first calls", "first steps", "tear-down" };

	return names[kind];
}

const char *lp_fold_clause(enum lp_fold_kind kind)
{
	static const char *const clauses[] = { "sets up", "sets up and makes the first calls", "initialises", "tears down" };

	return clauses[kind];
}
