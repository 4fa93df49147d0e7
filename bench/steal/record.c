/* record.c -- the shape of a program's exploration, for simulate.c.
 *
 *     bench_record OUTPUT GRAPHS PROGRAM.c [FLAG...]
 *
 * A depth-first walk is recorded as one number a graph, in the order in which they are visited: how many choices were on
 * the stack when the alternative was taken that led to it.  That is all that decides who can give what to whom: what a
 * worker gives away is the rest of its interval, from the first graph on whose number is the smallest (item.h, walk.h).
 */
#include <stdio.h>
#include <stdlib.h>

#include "explore/graph/grow.h"
#include "explore/graph/walk.h"
#include "explore/restarts.h"
#include "runtime/runtime.h"
#include "tree.h"

struct recording {
	uint64_t most;
	struct { LP_VEC(uint16_t); } depth;
};

static bool stop(struct lp_explorer *x)
{
	(void)x;
	return false;
}

static uint16_t choices_of(const struct lp_explorer *x)
{
	uint32_t n = 0;

	for (uint32_t d = 0; d < x->depth; d++)
		n += x->frames.at[d]->choices.count;
	return n < UINT16_MAX ? (uint16_t)n : UINT16_MAX;
}

static enum lp_pass_end explore(const struct lp_pass *a)
{
	struct recording *r = (struct recording *)(uintptr_t)a->closure;
	struct lp_explorer x;

	r->depth.count = 0;
	lp_explorer_open(&x, a->program, &a->options, a->arena, a->out);
	x.walk.between = stop;
	do {
		LP_PUSH(&r->depth, choices_of(&x));
		lp_walk(&x, false); /* to the end of one graph */
	} while (!x.stopped && !lp_watch_asks_for_restart(a->options.watch) && r->depth.count < r->most && lp_walk_back(&x));
	const bool stopped = x.stopped;
	lp_explorer_close(&x);
	return stopped ? LP_PASS_STOPPED : LP_PASS_DONE;
}

int main(int argc, char **argv)
{
	struct lp_runtime_options runtime = LP_RUNTIME_DEFAULTS;
	struct lp_error error = { .hint = "" };
	struct lp_native native = { 0 };
	struct lp_arena arena = { 0 };
	struct lp_exploration out;

	if (argc < 4) {
		fputs("usage: bench_record OUTPUT GRAPHS PROGRAM.c [FLAG...]\n", stderr);
		return 2;
	}
	struct recording r = { .most = strtoull(argv[2], NULL, 10) };
	runtime.file = argv[3];
	runtime.flags = (const char *const *)argv + 4;
	if (!lp_native_open(&native, &runtime, &error)) {
		fprintf(stderr, "bench_record: %s\n", error.text);
		return 2;
	}
	lp_restarts_explore(&(struct lp_pass){
		.program = native.program, .arena = &arena, .out = &out, .explore = explore, .closure = &r,
		.watches = LP_WATCHES_HELPING | LP_WATCHES_OMITTED | LP_WATCHES_ANSWERS,
		.options = { .model = LP_MODEL_RC11, .weak_fails = true,
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) .reduce.field = true,
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
		},
		.situation = LP_COUNTING,
	});
	const bool written = tree_write(argv[1], r.depth.at, r.depth.count);
	printf("%u graphs%s\n", (unsigned)r.depth.count, r.depth.count < r.most ? ", which is all of them" : "");
	lp_free(r.depth.at);
	lp_native_close(&native);
	lp_arena_close(&arena);
	return written ? 0 : 2;
}
