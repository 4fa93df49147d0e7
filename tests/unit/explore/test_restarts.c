/* test_restarts.c -- explorations that restart: how often, with what result, and with one deadline for all passes. */
#include <string.h>

#include "executions.h"
#include "expect.h"

/* The first two threads access parts of what the others access as a whole: each time the range grows, all restarts. */
#define PARTS                                     \
	"thread; store.rlx x[0:1] 1\n"            \
	"thread; store.rlx x[0:2] 1\n"            \
	"thread; r0 = load.rlx x\n"

/* The iteration that reads 1 is left out, and with it a race: all restarts, and it is kept (omitted_races.h). */
#define RACE                                                                                              \
	"thread; top:; r0 = load.rlx x; if r0 == 0 goto top; if r0 == 2 goto out; pload d; goto top; out:; "   \
	"store.rlx y 1\n"                                                                                 \
	"thread; store.rlx x 1; store.rlx x 2; await.rlx y 1; pstore d 5\n"

/* One thread leaves a store to the other, and a third one is seen to write there: stores are not left out (redundant_stores.h). */
#define HELPING                                                                                       \
	"thread; store.rel y 1; store.rel x 2\n"                                                      \
	"thread; r1 = load.acq y; if r1 == 0 goto out; store.rel x 2; out:; r2 = load.rlx x\n"        \
	"thread; cas.rlx.rlx x 2 1\n"

/* Three threads make attempts, and read y in between.  An attempt can only fail, whatever it reads there: this relies on the values
 * of y, which are seen one after the other, with many graphs in between.  The last ones are learned in passes that must be repeated because of
 * others (learn.h). */
#define ATTEMPT(value) "thread; top:; r0 = load.rlx h; r1 = load.rlx y; r2 = cas.rlx.rlx h r0 " value "; if r2 != r0 goto top\n"
#define INCREMENTS "thread; r0 = add.rlx z 1; r1 = add.rlx z 1\n"
#define VALUES                                                                                                  \
	ATTEMPT("7") ATTEMPT("8") ATTEMPT("9")                                                                  \
	"thread; store.rlx x 1; store.rlx x 2; store.rlx x 3; store.rlx x 4; store.rlx x 5\n"                    \
	"thread; r0 = load.rlx x; store.rlx y r0\n"                                                             \
	INCREMENTS INCREMENTS INCREMENTS "thread; r0 = add.rlx z 1\n"

static unsigned restarts;

static void count_restart(void *closure)
{
	(void)closure;
	restarts++;
}

static void estimate(struct lp_program *program, const struct lp_explore_options *options, struct lp_arena *arena,
		     struct lp_exploration *out)
{
	struct lp_estimate ignored;

	lp_explore_estimate(program, options, (struct lp_estimate_effort){ 10, 2 }, arena, &ignored, out);
}

static struct lp_explore_options usual(void)
{
	return (struct lp_explore_options){ .reduce = { .spin = true, .stale = true, .helping = true, .attempts = true, .final_joins = true },
					    .weak_fails = true, .bounds.preemptions = 3, .sampling = { .executions = 5, .seed = 1 }, .jobs = 1,
					    .callbacks.restarted = count_restart };
}

static const struct {
	const char *name, *script;
	explorer explore;
	enum lp_model model;
	uint32_t jobs;
	unsigned restarts; /* with time enough */
	enum lp_verdict verdict;
} cases[] = {
	{ "parts, graphs", PARTS, lp_explore_graphs, LP_MODEL_SC, 1, 2, LP_VERIFIED },
	{ "parts, two processes", PARTS, lp_explore_graphs, LP_MODEL_SC, 2, 2, LP_VERIFIED },
	{ "parts, preemptions", PARTS, lp_explore_bounded, LP_MODEL_SC, 1, 2, LP_VERIFIED },
	{ "parts, random", PARTS, lp_explore_random, LP_MODEL_SC, 1, 2, LP_INCONCLUSIVE },
	{ "parts, estimate", PARTS, estimate, LP_MODEL_SC, 1, 2, LP_INCONCLUSIVE },
	{ "race, graphs", RACE, lp_explore_graphs, LP_MODEL_RC11, 1, 1, LP_VIOLATION },
	{ "race, two processes", RACE, lp_explore_graphs, LP_MODEL_RC11, 2, 1, LP_VIOLATION },
	{ "helping, graphs", HELPING, lp_explore_graphs, LP_MODEL_RC11, 1, 1, LP_VERIFIED },
	{ "values, graphs", VALUES, lp_explore_graphs, LP_MODEL_SC, 1, 2, LP_VERIFIED },
	{ "helping, two processes", HELPING, lp_explore_graphs, LP_MODEL_RC11, 2, 1, LP_VERIFIED },
};

static void explore(unsigned i, double seconds, struct lp_arena *arena, struct lp_exploration *out)
{
	struct lp_explore_options options = usual();

	options.model = cases[i].model;
	options.jobs = cases[i].jobs;
	options.limits.seconds = seconds;
	restarts = 0;
	executions_of(cases[i].explore, cases[i].script, options, arena, out, NULL);
}

/* Each pass weakens the options: there are no more of them than there is to weaken. */
static void test_restarts(unsigned i)
{
	struct lp_arena arena = { 0 };
	struct lp_exploration out;

	explore(i, 0, &arena, &out);
	EXPECT(restarts == cases[i].restarts, "%s: %u of %lu", cases[i].name, restarts, (unsigned long)out.executions);
	EXPECT(out.verdict == cases[i].verdict, "%s: %u", cases[i].name, out.verdict);
	lp_arena_close(&arena);
}

/* The time is over when the first pass ends: there is no other one, and no verdict. */
static void test_deadline(unsigned i)
{
	struct lp_arena arena = { 0 };
	struct lp_exploration out;

	explore(i, 1e-9, &arena, &out);
	EXPECT(!restarts, "%s: %u of %lu", cases[i].name, restarts, (unsigned long)out.executions);
	EXPECT(out.verdict == LP_INCONCLUSIVE && !out.kind && out.reason && strstr(out.reason, "time limit reached"), "%s: %u, %s",
	       cases[i].name, out.verdict, out.reason ? out.reason : "no reason");
	lp_arena_close(&arena);
}

int main(void)
{
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		test_restarts(i);
		test_deadline(i);
	}
	return expect_status();
}
