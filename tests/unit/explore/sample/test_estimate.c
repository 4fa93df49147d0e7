/* test_estimate.c -- estimates against counts: of trees made up here, and of programs. */
#include "executions.h"
#include "scripts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "explore/sample/tree_sample.h"
#include "oracle/generate.h"

/* ---- trees made up ---- */

/* A node's children follow from its number and depth. */
struct made_up {
	uint64_t number;
	uint32_t depth;
};

static uint32_t children_of(const struct made_up *n, uint32_t deepest)
{
	const uint32_t most = 1 + (uint32_t)(lp_mix(n->number ^ 77) % 4);

	return n->depth >= deepest ? 0 : (uint32_t)(lp_mix(n->number) % (most + 1));
}

static struct made_up child_of(const struct made_up *n, uint32_t i)
{
	return (struct made_up){ lp_mix(n->number * 31 + i + 1), n->depth + 1 };
}

/* From the definition: nodes, and those with an even number. */
static void count(const struct made_up *n, uint32_t deepest, double *value)
{
	value[0] += n->number % 2 == 0;
	value[1]++;
	for (uint32_t i = 0; i < children_of(n, deepest); i++) {
		const struct made_up child = child_of(n, i);
		count(&child, deepest, value);
	}
}

static bool visit(struct lp_tree_sample *s, const struct lp_bytes *bytes, double *value)
{
	const uint32_t deepest = *(const uint32_t *)s->closure;
	struct made_up n;

	memcpy(&n, bytes->at, sizeof n);
	value[0] = n.number % 2 == 0;
	value[1] = 1;
	for (uint32_t i = 0; i < children_of(&n, deepest); i++) {
		const struct made_up child = child_of(&n, i);
		struct lp_bytes *to = lp_tree_offer(s, child.depth);
		if (!to)
			continue;
		to->count = 0;
		LP_RESERVE(to, sizeof child);
		memcpy(to->at, &child, sizeof child);
		to->count = sizeof child;
	}
	return true;
}

/* The average of many rounds, or the one that visits all. */
static void judge_tree(uint64_t seed, uint32_t deepest, uint32_t width, uint32_t rounds)
{
	const struct made_up root = { lp_mix(seed), 0 };
	const struct lp_bytes bytes = { .at = (uint8_t *)(uintptr_t)&root, .count = sizeof root };
	struct lp_tree_sample s = { .visit = visit, .closure = &deepest, .rng = { seed }, .width = width };
	double truth[LP_TREE_VALUES] = { 0 }, sum[LP_TREE_VALUES] = { 0 }, square = 0;

	count(&root, deepest, truth);
	lp_tree_sample_open(&s, &bytes);
	for (uint32_t i = 0; i < rounds; i++) {
		double one[LP_TREE_VALUES];
		EXPECT(lp_tree_round(&s, one), "a round ends early");
		sum[0] += one[0] / rounds;
		sum[1] += one[1] / rounds;
		square += one[1] * one[1] / rounds;
	}
	lp_tree_sample_close(&s);
	const double deviation = sqrt(fmax(0, square - sum[1] * sum[1]) / rounds);
	EXPECT(fabs(sum[1] - truth[1]) <= 5 * deviation + 1e-6 * truth[1] && fabs(sum[0] - truth[0]) <= 5 * deviation + 1e-6 * truth[1],
	       "seed %d, width %u: %g of %g, not %g of %g (deviation %g)", (int)seed, (unsigned)width, sum[0], sum[1], truth[0],
	       truth[1], deviation);
	if (rounds == 1)
		EXPECT(sum[0] == truth[0] && sum[1] == truth[1], "seed %d: all is visited, and not counted", (int)seed);
}

static void test_trees(void)
{
	for (uint64_t seed = 1; seed <= 25; seed++) {
		judge_tree(seed, 9, 10000, 1);
		judge_tree(seed, 5, 1, 6000);
		judge_tree(seed, 9, 2, 1500);
		judge_tree(seed, 12, 20, 300);
	}
}

/* The estimator learns what to expect: with the same effort its error is smaller than that of Knuth's descents. */
static void test_learning(void)
{
	struct made_up root = { 0, 0 };
	const struct lp_bytes bytes = { .at = (uint8_t *)&root, .count = sizeof root };
	uint32_t deepest = 14;
	double truth[LP_TREE_VALUES] = { 0 }, spread[2] = { 0 };

	while (truth[1] < 1000) { /* the first that is large */
		root.number = lp_mix(root.number + 1);
		truth[0] = truth[1] = 0;
		count(&root, deepest, truth);
	}
	for (uint32_t k = 0; k < 2; k++) {
		struct lp_tree_sample s = { .visit = visit, .closure = &deepest, .rng = { 5 }, .width = k ? 100 : 1 };
		double one[LP_TREE_VALUES];
		lp_tree_sample_open(&s, &bytes);
		for (uint32_t i = 0; i < (k ? 30 : 3000); i++) {
			lp_tree_round(&s, one);
			spread[k] += (one[1] / truth[1] - 1) * (one[1] / truth[1] - 1) / (k ? 30 : 3000);
		}
		lp_tree_sample_close(&s);
	}
	EXPECT(spread[1] * 100 < spread[0], "%g nodes; %g, not below a hundredth of %g", truth[1], spread[1], spread[0]);
}

/* ---- programs ---- */

static struct lp_estimate estimated;
static struct lp_estimate_effort effort;

static void estimate(struct lp_program *p, const struct lp_explore_options *options, struct lp_arena *arena, struct lp_exploration *out)
{
	lp_explore_estimate(p, options, effort, arena, &estimated, out);
}

static struct lp_explore_options all_reductions(enum lp_model model)
{
	return (struct lp_explore_options){
		.model = model, .weak_fails = true, .sampling.seed = 3,
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) .reduce.field = true,
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	};
}

/* The number of abandoned graphs depends a little on what was explored before. */
static bool is_about(double a, double b)
{
	return fabs(a - b) <= 2 + b / 5;
}

/* If nothing is left out, the estimate is the exact count. */
static void judge_program(const char *script, struct lp_explore_options options, uint32_t *sampled)
{
	struct lp_arena arena = { 0 };
	struct lp_exploration whole, out;

	options.reduce.twins = options.reduce.silent_rmw = false; /* with which counts depend on the order */
	executions_of(lp_explore_graphs, script, options, &arena, &whole, NULL);
	effort = (struct lp_estimate_effort){ 1, 100000 };
	executions_of(estimate, script, options, &arena, &out, NULL);
	EXPECT(out.verdict == (whole.kind ? LP_VIOLATION : LP_INCONCLUSIVE), "another verdict\n%s", script);
	if (!whole.kind)
		EXPECT(estimated.executions == (double)whole.executions &&
		       is_about(estimated.graphs, (double)(whole.executions + whole.blocked + whole.abandoned)),
		       "%g executions of %g graphs, not %u and %u blocked, %u abandoned\n%s", estimated.executions, estimated.graphs,
		       (unsigned)whole.executions, (unsigned)whole.blocked, (unsigned)whole.abandoned, script);
	if (!whole.kind && whole.executions > 20) {
		effort = (struct lp_estimate_effort){ 40, 40 };
		executions_of(estimate, script, options, &arena, &out, NULL);
		const double deviation = sqrt(estimated.variance);
		*sampled += 1;
		EXPECT(fabs(estimated.executions - (double)whole.executions) < 6 * deviation + 0.02 * (double)whole.executions,
		       "%g executions, not %u (deviation %g)\n%s", estimated.executions, (unsigned)whole.executions, deviation, script);
	}
	lp_arena_close(&arena);
}

static void test_generated(void)
{
	uint32_t sampled = 0;

	for (uint64_t seed = 1; seed <= 80; seed++) {
		char *text = generate_script(seed, seed % 2 ? 63 : 0, 6);
		judge_program(text, all_reductions((enum lp_model)(seed % 4)), &sampled);
		free(text);
	}
	EXPECT(sampled > 20, "only %u programs were large enough to be sampled", (unsigned)sampled);
}

static void test_scripts(void)
{
	static const struct { const char *script; double executions; } cases[] = {
		{ SB, 4 }, { IRIW, 16 }, { CASROT, 14 }, { LOCKS, 6 }, { MISC, 16 },
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct lp_arena arena = { 0 };
		struct lp_exploration out;
		effort = (struct lp_estimate_effort){ 12000, 3 };
		executions_of(estimate, cases[i].script, (struct lp_explore_options){ .reduce.spin = true, .weak_fails = true,
			      .model = LP_MODEL_RC11, .sampling.seed = 3 }, &arena, &out, NULL);
		EXPECT(out.verdict == LP_INCONCLUSIVE, "an estimate verifies");
		EXPECT(estimated.executions > 0.95 * cases[i].executions && estimated.executions < 1.05 * cases[i].executions &&
		       estimated.graphs + 1e-9 >= estimated.executions,
		       "estimated %g, there are %g\n%s", estimated.executions, cases[i].executions, cases[i].script);
		lp_arena_close(&arena);
	}
}

int main(void)
{
	test_trees();
	test_learning();
	test_generated();
	test_scripts();
	return expect_status();
}
