/* executions.c -- the set of executions that an explorer visits, for comparison. */
#include "executions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/script.h"

static const struct lp_step *all; /* for by_name() */

static int by_name(const void *a, const void *b)
{
	const struct lp_step *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static void print_name(FILE *out, const char *what, const struct lp_step *steps, uint32_t i)
{
	if (i == LP_STEP_INITIAL)
		fprintf(out, " %s init", what);
	else if (i != LP_STEP_NONE)
		fprintf(out, " %s %u.%u", what, steps[i].thread, steps[i].event);
}

void executions_add(void *closure, const struct lp_step *steps, uint32_t count)
{
	struct executions *set = closure;
	uint32_t *order = lp_alloc(sizeof *order * (count + 1));
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	all = steps;
	qsort(order, count, sizeof *order, by_name);
	for (uint32_t i = 0; i < count; i++) {
		const struct lp_step *s = &steps[order[i]];
		fprintf(out, "%u.%u op %u at %llu", s->thread, s->event, s->op.kind,
			(unsigned long long)s->op.pc);
		if (s->op.kind == LP_OP_LOAD || s->op.kind == LP_OP_RMW || lp_op_chooses(s->op.kind))
			fprintf(out, " got %llu%s", (unsigned long long)s->answer.value.lo,
				s->op.kind == LP_OP_RMW && s->answer.failed ? " failed" : "");
		if (s->co_after != LP_STEP_NONE)
			fprintf(out, " wrote %llu", (unsigned long long)s->answer.wrote.lo);
		print_name(out, "rf", steps, s->reads_from);
		print_name(out, "co", steps, s->co_after);
		fprintf(out, "%s\n", s->blocked ? " blocked" : "");
	}
	fclose(out);
	lp_free(order);
	LP_PUSH(set, text);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void executions_sort(struct executions *set)
{
	uint32_t kept = 0;

	if (set->count)
		qsort(set->at, set->count, sizeof *set->at, by_text);
	for (uint32_t i = 0; i < set->count; i++) {
		if (kept && !strcmp(set->at[kept - 1], set->at[i]))
			free(set->at[i]);
		else
			set->at[kept++] = set->at[i];
	}
	set->count = kept;
}

void executions_close(struct executions *set)
{
	for (uint32_t i = 0; i < set->count; i++)
		free(set->at[i]);
	lp_free(set->at);
	memset(set, 0, sizeof *set);
}

const char *executions_missing(const struct executions *a, const struct executions *b)
{
	for (uint32_t i = 0; i < a->count; i++)
		if (!b->count || !bsearch(&a->at[i], b->at, b->count, sizeof *b->at, by_text))
			return a->at[i];
	return NULL;
}

void executions_of(explorer explore, const char *text, struct lp_explore_options options,
		   struct lp_arena *arena, struct lp_exploration *out, struct executions *set)
{
	struct lp_error error;
	struct lp_script *script = lp_script_parse(text, &error);

	if (!script) {
		fprintf(stderr, "%s\n%s\n", error.text, text);
		exit(2);
	}
	struct lp_program *program = lp_script_open(script);
	if (set) {
		options.callbacks.complete = executions_add;
		options.callbacks.closure = set;
	}
	explore(program, &options, arena, out);
	if (set)
		executions_sort(set);
	lp_script_close(program);
	lp_script_drop(script);
}
