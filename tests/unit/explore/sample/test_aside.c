/* test_aside.c -- samples that another process takes in the middle of an exploration: they come close to the count, and change nothing. */
#include "executions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "expect.h"
#include "explore/sample/sample_aside.h"
#include "oracle/generate.h"

enum { PROGRAMS = 40, PATIENCE = 20000 };

/* ---- together ---- */

static double chance(uint64_t *random)
{
	*random = lp_mix(*random + 1);
	return (double)(*random % 100000 + 1) / 1000;
}

/* From the definition: the average by seconds, and its variance. */
static void test_sums(void)
{
	uint64_t random = 5;

	for (uint32_t round = 0; round < 200; round++) {
		struct lp_sample_aside s = { 0 };
		double weights = 0, sum = 0, squares = 0;
		for (uint32_t i = 0; i < 1 + round % 7; i++) {
			const double seconds = chance(&random);
			const struct lp_estimate e = { .executions = chance(&random), .variance = chance(&random), .rounds = (uint32_t)(random % 3) };
			lp_sample_aside_add(&s, &e, seconds);
			if (!e.rounds)
				continue;
			weights += seconds;
			sum += seconds * e.executions;
			squares += seconds * seconds * e.variance;
		}
		EXPECT(fabs(s.effort - weights) < 1e-6, "%g seconds, not %g", s.effort, weights);
		if (weights > 0)
			EXPECT(fabs(s.executions - sum / weights) < 1e-6 && fabs(s.variance - squares / weights / weights) < 1e-6,
			       "%g (%g), not %g (%g)", s.executions, s.variance, sum / weights, squares / weights / weights);
	}
}

static void test_choice(void)
{
	const struct lp_sample_aside none = { 0 }, failed = { .over = true }, some = { .effort = 1, .executions = 1000, .variance = 100 };

	EXPECT(!(lp_sample_aside_estimate(&none, &(struct lp_progress){ 10, 0, 77 }) > 0), "nothing is known before the first sample");
	EXPECT(lp_sample_aside_estimate(&failed, &(struct lp_progress){ 10, 0, 77 }) == 77, "without samples it is the walk's");
	EXPECT(lp_sample_aside_estimate(&some, &(struct lp_progress){ 10, 0, 1e12 }) == 1000, "the walk's is absurd");
	EXPECT(lp_sample_aside_estimate(&some, &(struct lp_progress){ 1500, 0, 1600 }) == 1600, "the sample was too low");
	EXPECT(!(lp_sample_aside_estimate(&some, &(struct lp_progress){ 1500, 0, 1e12 }) > 0), "both are wrong");
	const struct lp_estimate_range exact = lp_estimate_range(1000, 0), wide = lp_estimate_range(1000, 1e6);
	EXPECT(exact.low < 1000 && exact.high > 1000 && wide.low < exact.low && wide.high > exact.high, "ranges");
}

/* ---- in the middle ---- */

static struct middle {
	struct lp_program *program;
	struct lp_explore_options options;
	struct lp_sample_aside aside;
	uint64_t seen, at; /* executions; the one after which a sample is taken */
} m;

static void sample_now(void *closure, const struct lp_step *steps, uint32_t count)
{
	(void)closure, (void)steps, (void)count;
	if (++m.seen != m.at)
		return;
	EXPECT(!lp_sample_aside_turn(&m.aside, m.program, &m.options, 0.5) && !m.aside.process, "a sample before the first second");
	lp_sample_aside_turn(&m.aside, m.program, &m.options, 1);
	EXPECT(m.aside.process, "no sample after a second");
	for (uint32_t i = 0; m.aside.process && i < PATIENCE; i++) {
		lp_sample_aside_turn(&m.aside, m.program, &m.options, 1.5);
		usleep(1000);
	}
	EXPECT(!lp_sample_aside_turn(&m.aside, m.program, &m.options, 1.9) && !m.aside.process, "a sample too soon");
}

static void explore_and_sample(struct lp_program *p, const struct lp_explore_options *options, struct lp_arena *arena, struct lp_exploration *out)
{
	struct lp_explore_options own = *options;

	m.program = p;
	m.options = *options;
	own.callbacks.complete = sample_now;
	lp_explore_graphs(p, &own, arena, out);
	lp_sample_aside_end(&m.aside);
}

static void judge(uint64_t seed, uint32_t *sampled)
{
	char *text = generate_script(seed, seed % 2 ? 63 : 0, 6);
	struct lp_arena arena = { 0 };
	struct lp_exploration whole, out;
	struct lp_explore_options options = {
		.model = (enum lp_model)(seed % 4), .weak_fails = true, .sampling.seed = 3,
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) .reduce.field = true,
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	};

	options.reduce.twins = options.reduce.silent_rmw = false; /* with which counts depend on the order */
	executions_of(lp_explore_graphs, text, options, &arena, &whole, NULL);
	if (!whole.kind && whole.executions > 3) {
		m = (struct middle){ .at = whole.executions / 2 };
		executions_of(explore_and_sample, text, options, &arena, &out, NULL);
		EXPECT(out.verdict == whole.verdict && out.executions == whole.executions && out.blocked == whole.blocked,
		       "seed %d: %u executions with a sample, not %u\n%s", (int)seed, (unsigned)out.executions, (unsigned)whole.executions, text);
		EXPECT(m.aside.effort > 0 && fabs(m.aside.executions - (double)whole.executions) <=
		       6 * sqrt(m.aside.variance) + 0.02 * (double)whole.executions, "seed %d: sampled %g, there are %u (deviation %g)\n%s", (int)seed,
		       m.aside.executions, (unsigned)whole.executions, sqrt(m.aside.variance), text);
		*sampled += 1;
	}
	lp_arena_close(&arena);
	free(text);
}

int main(void)
{
	uint32_t sampled = 0;

	test_sums();
	test_choice();
	printf("seeds 1 to %d\n", (int)PROGRAMS);
	for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
		judge(seed, &sampled);
	EXPECT(sampled > 10, "only %u programs were sampled", (unsigned)sampled);
	return expect_status();
}
