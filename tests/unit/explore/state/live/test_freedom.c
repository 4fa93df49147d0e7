/* test_freedom.c -- whether calls return: the state explorer against a naive one, on random
 * objects whose calls may wait.
 *
 *     test_freedom [--runs N] [--seed N] [--threads N]
 *
 * Every object is asked for all five properties, in all ways that there are.  The steps of a
 * violation are replayed: they end in a cycle, which is one of the contrary.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/state/live/freedom.h"
#include "explore/state/state.h"
#include "../naive_free.h"
#include "../no_opinion.h"
#include "../object.h"

/* ---- the steps of a violation ---- */

struct world {
	uint64_t memory[WORDS];
	struct process at[LP_STATE_PROCESSES + 1];
	bool busy[LP_STATE_PROCESSES + 1];
};

/* False if the step is none of the object's. */
static bool make_step(const struct object *o, struct world *w, const struct lp_step *s)
{
	const uint32_t t = s->thread;

	if (!w->busy[t]) {
		w->at[t] = object_begin(o, (uint32_t)s->answer.value.lo);
		w->busy[t] = true;
		return s->op.kind == LP_OP_CALL;
	}
	const struct lp_op op = object_op(o, w->at[t]);
	if (op.kind != s->op.kind || op.loc != s->op.loc || op.target != s->op.target)
		return false;
	if (op.kind == LP_OP_RETURN) {
		w->busy[t] = false;
		w->at[t] = (struct process){ 0, 0, 0 };
		return true;
	}
	uint64_t *word = &w->memory[(op.loc - BASE) / 8];
	if (s->blocked)
		return op.otherwise == LP_ELSE_WAIT && !lp_op_holds(&op, lp_value(*word));
	if (op.kind != LP_OP_STORE && s->answer.value.lo != *word)
		return false;
	if (op.kind == LP_OP_STORE || (op.kind == LP_OP_RMW && !s->answer.failed))
		*word = s->answer.wrote.lo;
	w->at[t] = object_after(o, w->at[t], &s->answer);
	return true;
}

/* Is what happens in the cycle the contrary of the property? */
static bool is_contrary(enum lp_freedom freedom, uint32_t threads, uint32_t whose,
			const uint32_t *steps, const uint32_t *left, const bool *idle)
{
	uint32_t all_left = 0;

	for (uint32_t t = 1; t <= threads; t++) {
		all_left += left[t];
		if (freedom == LP_OBSTRUCTION_FREE && t != whose && steps[t])
			return false;
		if (lp_freedom_is_fair(freedom) && !steps[t] && !idle[t])
			return false;
	}
	if (freedom == LP_LOCK_FREE || freedom == LP_DEADLOCK_FREE)
		return !all_left;
	return steps[whose] && !left[whose];
}

static bool is_lasso(const struct object *o, const struct lp_exploration *e, enum lp_freedom freedom,
		     uint32_t threads)
{
	struct world w, first;
	uint32_t steps[LP_STATE_PROCESSES + 1] = { 0 }, left[LP_STATE_PROCESSES + 1] = { 0 };
	bool idle[LP_STATE_PROCESSES + 1] = { false };

	memset(&w, 0, sizeof w);
	memset(&first, 0, sizeof first);
	for (unsigned i = 0; i < WORDS; i++)
		w.memory[i] = o->initial[i];
	if (!e->loop || e->loop > e->step_count)
		return false;
	for (uint32_t i = 0; i < e->step_count; i++) {
		const struct lp_step *s = &e->steps[i];
		if (i + 1 == e->loop)
			first = w;
		if (i + 1 >= e->loop) {
			steps[s->thread]++;
			left[s->thread] += s->op.kind == LP_OP_RETURN;
			for (uint32_t t = 1; t <= threads; t++)
				idle[t] |= !w.busy[t];
		}
		if (!make_step(o, &w, s))
			return false;
	}
	return !memcmp(&w, &first, sizeof w) &&
	       is_contrary(freedom, threads, e->thread, steps, left, idle);
}

/* ---- all together ---- */

static bool explored(struct object *o, uint32_t threads, enum lp_freedom freedom, unsigned how,
		     uint64_t *states)
{
	struct lp_state_call rules[CALLS] = { { 0 } };
	struct lp_state_options options = {
		.processes = threads, .calls = rules, .call_count = o->count, .freedom = freedom,
		.symmetry = how & 1, .por = how & 2, .shortest = how & 4,
		.exact = how & 8,
	};
	struct lp_state_counts counts;
	struct lp_arena arena = { 0 };
	struct lp_exploration e;

	lp_explore_states(&o->base, &no_opinion, &options, &arena, &e, &counts);
	if (e.verdict == LP_VIOLATION && !is_lasso(o, &e, freedom, threads)) {
		printf("%s: the steps are no cycle of the contrary (how %u)\n",
		       lp_freedom_name(freedom), how);
		exit(1);
	}
	const bool right = e.verdict == LP_VERIFIED;
	*states += counts.states;
	lp_arena_close(&arena);
	return right;
}

static bool expected(struct naive_graph *g, enum lp_freedom freedom)
{
	if (freedom == LP_OBSTRUCTION_FREE)
		return naive_is_obstruction_free(g);
	if (freedom == LP_LOCK_FREE || freedom == LP_DEADLOCK_FREE)
		return naive_is_lock_free(g, lp_freedom_is_fair(freedom));
	return naive_is_wait_free(g, lp_freedom_is_fair(freedom));
}

int main(int argc, char **argv)
{
	uint32_t runs = 300, threads = 2, large = 0, right[LP_STARVATION_FREE + 1] = { 0 };
	uint64_t seed = 1, states[9] = { 0 };

	for (int i = 1; i + 1 < argc; i += 2) {
		const uint64_t value = strtoull(argv[i + 1], NULL, 10);
		if (!strcmp(argv[i], "--runs"))
			runs = (uint32_t)value;
		else if (!strcmp(argv[i], "--seed"))
			seed = value;
		else
			threads = (uint32_t)value;
	}
	for (uint32_t run = 0; run < runs; run++) {
		const uint64_t this = seed;
		struct object o;
		object_generate_waiting(&o, &seed);
		struct naive_graph *g = naive_graph_open(&o, threads, 4000);
		large += !g;
		for (unsigned f = LP_OBSTRUCTION_FREE; g && f <= LP_STARVATION_FREE; f++) {
			const bool free_of = expected(g, (enum lp_freedom)f);
			right[f] += free_of;
			for (unsigned how = 0; how < 9; how++) {
				if (explored(&o, threads, (enum lp_freedom)f, how, &states[how]) == free_of)
					continue;
				printf("seed %llu: %s %s, but not if explored so: %u\n",
				       (unsigned long long)this, free_of ? "is" : "is not",
				       lp_freedom_name((enum lp_freedom)f), how);
				return 1;
			}
		}
		naive_graph_close(g);
	}
	printf("%u objects, %u too large;", runs, large);
	bool some = states[7] < states[0] && states[8] == states[0];
	for (unsigned f = LP_OBSTRUCTION_FREE; f <= LP_STARVATION_FREE; f++) {
		printf(" %u %s", right[f], lp_freedom_name((enum lp_freedom)f));
		some &= right[f] > 0 && right[f] < runs - large;
	}
	printf("; %llu states, %llu with all reductions\n", (unsigned long long)states[0],
	       (unsigned long long)states[7]);
	return !some;
}
