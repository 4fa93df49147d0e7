/* test_orbits.c -- symmetry on native programs, against all permutations of threads.
 *
 *     test_orbits MODEL PROGRAM [COMPILER FLAGS]
 *
 * Every execution is brought into a form that is the same for those which can be made of
 * each other by renaming like threads, with what they own: the least of the fingerprints
 * under all permutations.  The forms met with symmetry are those met without, each once.
 * Values are left out: they follow from what was read where.
 */
#include "base/hash.h"
#include "explore/explore.h"
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 16, NO_THREAD = -1 };

struct run {
	struct lp_program *program;
	const struct lp_step *steps;
	uint32_t count;
	int like[THREADS];    /* to whom a thread was declared alike */
	lp_tid name[THREADS]; /* under the present permutation */
	struct lp_fingerprint least;
	struct { LP_VEC(struct lp_fingerprint); } forms;
};

static int compare(const void *x, const void *y)
{
	const struct lp_fingerprint *a = x, *b = y;

	return a->a != b->a ? (a->a < b->a ? -1 : 1) : a->b != b->b ? (a->b < b->b ? -1 : 1) : 0;
}

/* A step by its thread's new name and its number there. */
static void put_step(const struct run *r, struct lp_fingerprint *f, uint32_t step)
{
	if (step >= LP_STEP_INITIAL) {
		lp_fingerprint_word(f, step);
		return;
	}
	lp_fingerprint_word(f, r->name[r->steps[step].thread]);
	lp_fingerprint_word(f, r->steps[step].event);
}

static void put_location(const struct run *r, struct lp_fingerprint *f, uintptr_t loc)
{
	lp_tid owner = 0;
	uintptr_t place = loc;
	const bool own = r->program->class->owner(r->program, loc, &owner, &place);

	lp_fingerprint_word(f, own ? 1 + r->name[owner] : 0);
	lp_fingerprint_word(f, place);
}

/* Fingerprints of steps are added up: their order means nothing. */
static struct lp_fingerprint form(const struct run *r)
{
	struct lp_fingerprint sum = { 0, 0 };

	for (uint32_t i = 0; i < r->count; i++) {
		const struct lp_step *s = &r->steps[i];
		const enum lp_op_kind kind = s->op.kind;
		struct lp_fingerprint f = LP_FINGERPRINT;

		put_step(r, &f, i);
		lp_fingerprint_word(&f, kind | (uint64_t)s->op.order << 8 |
						(uint64_t)s->answer.failed << 16);
		if (lp_op_chooses(kind))
			lp_fingerprint_word(&f, s->answer.value.lo);
		if (kind == LP_OP_SPAWN || kind == LP_OP_JOIN)
			continue; /* the same in all executions */
		if (kind == LP_OP_LOAD || kind == LP_OP_STORE || kind == LP_OP_RMW)
			put_location(r, &f, s->op.loc);
		put_step(r, &f, s->reads_from);
		put_step(r, &f, s->co_after);
		sum.a += lp_mix(f.a);
		sum.b += lp_mix(f.b);
	}
	return sum;
}

static int group(const struct run *r, int t)
{
	while (r->like[t] != NO_THREAD)
		t = r->like[t];
	return t;
}

/* Exchanges the names of like threads from t on in every way. */
static void permute(struct run *r, int t)
{
	if (t == THREADS) {
		const struct lp_fingerprint f = form(r);
		if (compare(&f, &r->least) < 0)
			r->least = f;
		return;
	}
	for (int u = t; u < THREADS; u++) {
		if (group(r, u) != group(r, t))
			continue;
		for (int back = 0; back < 2; back++) {
			const lp_tid name = r->name[t];
			r->name[t] = r->name[u];
			r->name[u] = name;
			if (!back)
				permute(r, t + 1);
		}
	}
}

static void collect(void *closure, const struct lp_step *steps, uint32_t count)
{
	struct run *r = closure;

	r->steps = steps;
	r->count = count;
	r->least = (struct lp_fingerprint){ UINT64_MAX, UINT64_MAX };
	for (int t = 0; t < THREADS; t++) {
		r->like[t] = NO_THREAD;
		r->name[t] = (lp_tid)t;
	}
	for (uint32_t i = 0; i < count; i++)
		if (steps[i].op.kind == LP_OP_SPAWN && steps[i].op.elder)
			r->like[steps[i].op.target] = (int)steps[i].op.elder - 1;
	permute(r, 0);
	LP_PUSH(&r->forms, r->least);
}

/* Sorts the forms and drops what is there twice; returns how many were dropped. */
static uint32_t distinct(struct run *r)
{
	const uint32_t count = r->forms.count;
	uint32_t kept = 0;

	if (count)
		qsort(r->forms.at, count, sizeof *r->forms.at, compare);
	for (uint32_t i = 0; i < count; i++)
		if (!kept || compare(&r->forms.at[kept - 1], &r->forms.at[i]))
			r->forms.at[kept++] = r->forms.at[i];
	r->forms.count = kept;
	return count - kept;
}

int main(int argc, char **argv)
{
	static const char *const models[] = { "sc", "tso", "ra", "rc11" };
	struct lp_runtime_options options = LP_RUNTIME_DEFAULTS;
	struct lp_native native;
	struct lp_error error = { .text = "" };
	struct run runs[2] = { { 0 }, { 0 } }; /* without, with */
	struct lp_exploration e[2];
	uint32_t twice[2];
	int model = 3;

	if (argc < 3)
		return 2;
	while (model && strcmp(models[model], argv[1]))
		model--;
	options.file = argv[2];
	options.flags = (const char *const *)argv + 3;
	if (!lp_native_open(&native, &options, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 2;
	}
	for (int with = 0; with < 2; with++) {
		struct lp_arena arena = { 0 };
		const struct lp_explore_options explore = {
			.model = (enum lp_model)model, .reduce = { .spin = true, .symmetry = with }, .weak_fails = true,
			.callbacks = { .complete = collect, .closure = &runs[with] },
		};

		runs[with].program = native.program;
		lp_explore_graphs(native.program, &explore, &arena, &e[with]);
		twice[with] = distinct(&runs[with]);
		lp_arena_close(&arena);
	}
	printf("%s: %llu executions, %u up to names; with symmetry %llu, %u up to names\n", models[model],
	       (unsigned long long)e[0].executions, runs[0].forms.count,
	       (unsigned long long)e[1].executions, runs[1].forms.count);

	const bool same = runs[0].forms.count == runs[1].forms.count &&
			  !memcmp(runs[0].forms.at, runs[1].forms.at,
				  sizeof *runs[0].forms.at * runs[0].forms.count);
	const bool good = same && e[0].verdict == LP_VERIFIED && e[1].verdict == LP_VERIFIED &&
			  !twice[1] && twice[0];

	lp_native_close(&native);
	lp_free(runs[0].forms.at);
	lp_free(runs[1].forms.at);
	return !good;
}
