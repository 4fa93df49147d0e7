/* test_states.c -- the state explorer against a naive one, on random objects.
 *
 *     test_states [--runs N] [--seed N] [--threads N] [--quasi 1] [--states N]
 *
 * Every object is explored in all ways that there are (reductions on and off, both orders);
 * all verdicts must agree with the naive checker's, if that needs no more than N states.  Steps of
 * a violation are replayed.  If all large arrays are in files, or if 2, 4 or 7 processes search together, there are as many
 * states, transitions and restarts as in one process in memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/state/state.h"
#include "explore/state/visited/spill.h"
#include "as_monitor.h"
#include "naive.h"
#include "object_kind.h"
#include "product_monitor.h"

/* Are the steps an execution of the object?  Blocks may lie elsewhere. */
static bool replays(const struct object *o, const struct lp_exploration *e)
{
	struct object_memory memory;
	struct process at[LP_STATE_PROCESSES + 1];
	bool busy[LP_STATE_PROCESSES + 1] = { false };

	object_memory_begin(o, &memory);
	for (uint32_t i = 0; i < e->step_count; i++) {
		const struct lp_step *s = &e->steps[i];
		struct lp_response answer;
		if (!busy[s->thread]) {
			if (s->op.kind != LP_OP_CALL)
				return false;
			at[s->thread] = object_begin(o, (uint32_t)s->answer.value.lo);
			busy[s->thread] = true;
			continue;
		}
		const struct lp_op op = object_op(o, at[s->thread]);
		if (op.kind != s->op.kind || op.target != s->op.target ||
		    (!object_is_block(op.loc) && op.loc != s->op.loc))
			return false;
		if (op.kind == LP_OP_RETURN) {
			busy[s->thread] = false;
			if (op.operand.lo != s->op.operand.lo)
				return false;
			continue;
		}
		if (object_access(&memory, &op, &answer) != OBJECT_DONE)
			return i + 1 == e->step_count;
		if ((op.kind == LP_OP_LOAD || op.kind == LP_OP_RMW) &&
		    (answer.failed != s->answer.failed ||
		     (!object_is_block(answer.value.lo) && answer.value.lo != s->answer.value.lo)))
			return false;
		at[s->thread] = object_after(o, at[s->thread], &answer);
	}
	return e->step_count > 0;
}

static bool explored(struct object *o, uint32_t threads, unsigned how, struct lp_spill *spill, uint32_t jobs,
		     struct lp_state_counts *counts, uint32_t *steps)
{
	struct product_monitor *m = product_monitor_open(o, threads);
	const struct lp_state_monitor monitor = as_monitor(product_monitor_product(m));
	struct lp_state_call rules[CALLS] = { { 0 } };
	for (uint32_t c = 0; o->once && c < o->count; c++)
		rules[c].unless = rules[c].gives = 1u << c;
	struct lp_state_options options = {
		.processes = threads, .calls = rules, .call_count = o->count,
		.symmetry = how & 1, .por = how & 2, .antichains = how & 4, .shortest = how & 8,
		.exact = how & 16, .paths = how & 32, .gc = true, .spill = spill, .jobs = jobs,
	};
	struct lp_arena arena = { 0 };
	struct lp_exploration e;

	lp_explore_states(&o->base, &monitor, &options, &arena, &e, counts);
	if (e.verdict == LP_VIOLATION && !replays(o, &e)) {
		printf("the steps are no execution (how %u)\n", how);
		exit(1);
	}
	*steps = e.step_count;
	const bool right = e.verdict == LP_VERIFIED;
	lp_arena_close(&arena);
	product_monitor_close(m);
	return right;
}

static bool is_same(const struct lp_state_counts *a, const struct lp_state_counts *b)
{
	return a->states == b->states && a->transitions == b->transitions && a->covered == b->covered && a->begun == b->begun;
}

/* In files, as much as can be: the same. */
static bool spills(struct object *o, uint32_t threads, unsigned how, bool right, const struct lp_state_counts *expected,
		   uint32_t expected_steps)
{
	struct lp_state_counts counts;
	struct lp_spill spill;
	uint32_t steps;

	if (!lp_spill_open(&spill, ".", 0, NULL))
		return false;
	return explored(o, threads, how, &spill, 1, &counts, &steps) == right && is_same(&counts, expected) &&
	       steps == expected_steps && !spill.bytes && !spill.in_memory;
}

/* By several processes: the same. */
static bool shares(struct object *o, uint32_t threads, unsigned how, bool right, const struct lp_state_counts *expected,
		   uint32_t expected_steps)
{
	struct lp_state_counts counts;
	uint32_t steps;

	for (uint32_t jobs = 2; jobs <= 7; jobs = jobs * 2 - jobs / 4) /* 2, 4, 7 */
		if (explored(o, threads, how, NULL, jobs, &counts, &steps) != right || !is_same(&counts, expected) ||
		    steps != expected_steps)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	uint32_t runs = 300, threads = 2, most = 20000, right = 0, wrong = 0, large = 0, shortest = 0;
	uint64_t seed = 1, all = 0, reduced = 0;
	bool quasi = false;
#ifdef HEAP_OBJECTS /* local states are numbered as they are met */
	const bool is_heap = true;
#else
	const bool is_heap = false;
#endif

	setenv("LINCHPIN_STATES_SHARED", "2", 0); /* small searches are shared, too */
	for (int i = 1; i + 1 < argc; i += 2) {
		const uint64_t value = strtoull(argv[i + 1], NULL, 10);
		if (!strcmp(argv[i], "--runs"))
			runs = (uint32_t)value;
		else if (!strcmp(argv[i], "--seed"))
			seed = value;
		else if (!strcmp(argv[i], "--quasi"))
			quasi = value;
		else if (!strcmp(argv[i], "--states"))
			most = (uint32_t)value;
		else
			threads = (uint32_t)value;
	}
	for (uint32_t run = 0; run < runs; run++) {
		const uint64_t this = seed;
		struct object o;
		if (quasi)
			object_generate_quasi(&o, &seed);
		else if (!object_special(&o, run))
			object_generate(&o, &seed);
		const enum naive_verdict expected = naive_check(&o, threads, most);
		if (expected == NAIVE_TOO_LARGE) {
			large++;
			object_close(&o);
			continue;
		}
		right += expected == NAIVE_RIGHT;
		wrong += expected == NAIVE_WRONG;
		for (unsigned how = 0; how < 64; how++) {
			struct lp_state_counts counts;
			if (how & 16 && how != 16 && how != 63) /* whole states: without reductions, and with all */
				continue;
			if (explored(&o, threads, how, NULL, 1, &counts, &shortest) != (expected == NAIVE_RIGHT)) {
				printf("seed %llu: %s is %s, but not if explored so: %u\n",
				       (unsigned long long)this, o.spec,
				       expected == NAIVE_RIGHT ? "right" : "wrong", how);
				return 1;
			}
			if ((how == 47 || how == 34 || how == 39) &&
			    !spills(&o, threads, how, expected == NAIVE_RIGHT, &counts, shortest)) {
				printf("seed %llu: something else with files (how %u)\n", (unsigned long long)this, how);
				return 1;
			}
			if (run % 4 == 0 && !is_heap && !quasi && (how == 47 || how == 10) &&
			    !shares(&o, threads, how, expected == NAIVE_RIGHT, &counts, shortest)) {
				printf("seed %llu: something else with several processes (how %u)\n", (unsigned long long)this, how);
				return 1;
			}
			if (expected == NAIVE_RIGHT && how == 0)
				all += counts.states;
			if (expected == NAIVE_RIGHT && how == 47)
				reduced += counts.states;
		}
		object_close(&o);
	}
	printf("%u objects: %u right, %u wrong, %u too large; %llu states, %llu with all reductions\n",
	       runs, right, wrong, large, (unsigned long long)all, (unsigned long long)reduced);
	return !right || !wrong || reduced >= all;
}
