/* test_points.c -- linearization points: what is correct with them is linearizable.
 *
 *     test_points [--runs N] [--seed N] [--threads N]
 *
 * Random objects get points at random places.  Explored in all ways, none may be correct that the
 * naive checker, which knows of no points, finds wrong.  The converse need not be.  Symmetry and
 * antichains change no verdict; what is correct without reductions is correct with them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/product/points.h"
#include "explore/state/state.h"
#include "naive.h"
#include "object.h"
#include "product_monitor.h"

static uint32_t begin(void *p) { return lp_points_begin(p); }
static void again(void *p) { (void)p; }
static uint64_t look(void *p, uint32_t set, uint32_t t) { return lp_points_look(p, set, t); }
static bool within(void *p, uint32_t a, uint32_t b) { return lp_points_within(p, a, b); }
static bool may_wait(void *p, uint32_t s, uint32_t t) { return lp_points_may_wait(p, s, t); }

static uint32_t calls(void *p, uint32_t set, uint32_t t, uint32_t call)
{
	return lp_points_calls(p, set, t, call);
}

static uint32_t rename_set(void *p, uint32_t set, const uint8_t *to)
{
	return lp_points_rename(p, set, to);
}

static uint32_t returns(void *p, uint32_t set, uint32_t t, int64_t result)
{
	return lp_points_returns(p, set, t, result);
}

static uint32_t point(void *p, uint32_t set, uint32_t t, int64_t result)
{
	return lp_points_point(p, set, t, result);
}

static enum lp_verdict explored(struct object *o, uint32_t threads, unsigned how)
{
	struct product_monitor *m = product_monitor_open(o, threads);
	const struct lp_state_monitor monitor = { product_monitor_points(m), begin, calls, returns,
					    rename_set, look, within, may_wait, again, point,
					    NULL, NULL };
	struct lp_state_call rules[CALLS] = { { 0 } };
	struct lp_state_options options = {
		.processes = threads, .calls = rules, .call_count = o->count,
		.symmetry = how & 1, .por = how & 2, .antichains = how & 4, .shortest = true, .paths = how & 2,
	};
	struct lp_state_counts counts;
	struct lp_arena arena = { 0 };
	struct lp_exploration e;

	lp_explore_states(&o->base, &monitor, &options, &arena, &e, &counts);
	lp_arena_close(&arena);
	product_monitor_close(m);
	return e.verdict;
}

int main(int argc, char **argv)
{
	uint32_t runs = 300, threads = 2, right = 0, wrong = 0, spoilt = 0;
	uint64_t seed = 1;

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
		object_generate(&o, &seed);
		object_add_points(&o, &seed);
		const enum naive_verdict known = naive_check(&o, threads, 20000);
		const enum lp_verdict whole = explored(&o, threads, 0);
		if (known == NAIVE_TOO_LARGE)
			continue;
		for (unsigned how = 0; how < 8; how++) {
			const enum lp_verdict verdict = explored(&o, threads, how);
			if (verdict == LP_VERIFIED && known == NAIVE_WRONG) {
				printf("seed %llu: %s is wrong, but right with points (explored so: %u)\n",
				       (unsigned long long)this, o.spec, how);
				return 1;
			}
			/* A point that belongs to no access, or to one that no other thread sees, moves with it,
			 * so that fewer orders of points are tried. */
			if (verdict != whole && (!(how & 2) || whole == LP_VERIFIED)) {
				printf("seed %llu: %s is another thing if explored so: %u\n",
				       (unsigned long long)this, o.spec, how);
				return 1;
			}
		}
		right += whole == LP_VERIFIED;
		wrong += known == NAIVE_WRONG;
		spoilt += whole != LP_VERIFIED && known == NAIVE_RIGHT;
	}
	printf("%u objects: %u right with points, %u wrong, %u wrong with these points only\n", runs,
	       right, wrong, spoilt);
	return !right || !wrong || !spoilt;
}
