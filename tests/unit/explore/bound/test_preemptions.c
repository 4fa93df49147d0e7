/* test_preemptions.c -- small bounds against cases worked out by hand, and large bounds against all executions. */
#include "base/memory.h"
#include "../sample/executions.h"
#include "../sample/schedules.h"
#include "../sample/scripts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "oracle/generate.h"

/* -1: any number of preemptions. */
static struct lp_explore_options within(int preemptions)
{
	return (struct lp_explore_options){ .model = LP_MODEL_SC, .reduce.spin = true, .weak_fails = true,
					    .bounds.preemptions = (uint32_t)(preemptions + 1) };
}

static void test_by_hand(void)
{
	static const struct { const char *script; int preemptions; uint64_t executions; } cases[] = {
		/* If one thread runs after the other, the second one reads 1. Both reads return 0 only with a preemption. */
		{ SB, 0, 2 }, { SB, 1, 3 }, { SB, 9, 3 },
		/* The reader before or after the writer; in the middle, or around, only x. */
		{ MP, 0, 2 }, { MP, 1, 3 },
		/* Readers in one piece cannot see the writes in opposite orders of the threads:
		 * x=0 y=1 needs the second writer first, y=0 x=1 the first one. */
		{ IRIW, 0, 14 }, { IRIW, 1, 15 },
		/* One access each: there is nothing to preempt. */
		{ CASROT, 0, 14 }, { CASROT, 5, 14 },
		/* A thread that holds the lock can be preempted, but no other one gets in. */
		{ LOCKS, 0, 6 }, { LOCKS, 9, 6 },
		/* A waiting thread does not count. */
		{ SPIN, 0, 1 }, { TAS TAS, 0, 2 }, { TAS TAS, 9, 2 },
		/* Nor does one that begins to spin: both orders of the accesses to a. */
		{ "thread; store.rlx a 1; top:; r0 = load.rlx y; if r0 == 0 goto top\n"
		  "thread; r0 = load.rlx a; store.rlx y 1\n", 0, 2 },
		/* One after the other; or both load first, and then either stores first. */
		{ "thread; r0 = load.rlx x; store.rlx x 1\n"
		  "thread; r0 = load.rlx x; store.rlx x 2\n", 0, 2 },
		{ "thread; r0 = load.rlx x; store.rlx x 1\n"
		  "thread; r0 = load.rlx x; store.rlx x 2\n", 1, 4 },
		/* Of 0, 1, 2 the reads see 0 0 or 2 2; with one 0 2 or 1 1; with two 0 1 or 1 2. */
		{ "thread; r0 = load.rlx x; r1 = load.rlx x\nthread; store.rlx x 1; store.rlx x 2\n",
		  0, 2 },
		{ "thread; r0 = load.rlx x; r1 = load.rlx x\nthread; store.rlx x 1; store.rlx x 2\n",
		  1, 4 },
		{ "thread; r0 = load.rlx x; r1 = load.rlx x\nthread; store.rlx x 1; store.rlx x 2\n",
		  2, 6 },
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct lp_arena arena = { 0 };
		struct lp_exploration out;
		executions_of(lp_explore_bounded, cases[i].script, within(cases[i].preemptions),
			      &arena, &out, NULL);
		EXPECT(out.verdict == LP_VERIFIED && out.executions == cases[i].executions,
		       "%u executions with %d preemptions, not %u\n%s", (unsigned)out.executions,
		       cases[i].preemptions, (unsigned)cases[i].executions, cases[i].script);
		lp_arena_close(&arena);
	}
}

static void test_errors(void)
{
	static const struct { const char *script; int needs; enum lp_error_kind kind; } cases[] = {
		{ LOST, 1, LP_ERROR_ASSERTION }, { DEADLOCK, 1, LP_ERROR_DEADLOCK }, { MISSED, 0, LP_ERROR_DEADLOCK },
		{ LIVELOCK, 0, LP_ERROR_LIVENESS },
		/* Write, read, write, read: the first thread has ended then, or has not. */
		{ "thread; store.rlx x 1; store.rlx x 2\n"
		  "thread; r0 = load.rlx x; r1 = load.rlx x; if r0 != 1 goto out; assert r1 != 2\n"
		  "out:\n", 2, LP_ERROR_ASSERTION },
		{ "thread; store.rlx x 1; store.rlx x 2; store.rlx x 3\n"
		  "thread; r0 = load.rlx x; r1 = load.rlx x; if r0 != 1 goto out; assert r1 != 2\n"
		  "out:\n", 3, LP_ERROR_ASSERTION },
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int most = 0; most < 4; most++) {
			struct lp_arena arena = { 0 };
			struct lp_exploration out;
			char after[40];
			snprintf(after, sizeof after, "(after %d preemption%s)", cases[i].needs,
				 cases[i].needs == 1 ? "" : "s");
			executions_of(lp_explore_bounded, cases[i].script, within(most), &arena,
				      &out, NULL);
			if (most < cases[i].needs)
				EXPECT(out.verdict == LP_VERIFIED, "%s within %d\n%s", out.text, most,
				       cases[i].script);
			else
				EXPECT(out.verdict == LP_VIOLATION && out.kind == cases[i].kind &&
				       strstr(out.text, after), "'%s' within %d\n%s",
				       out.text ? out.text : "", most, cases[i].script);
			lp_arena_close(&arena);
		}
	}
}

/* More preemptions, more executions; with enough of them, all. */
static void compare(const char *text)
{
	static const int bounds[] = { 0, 1, 2, 1000 };
	struct lp_arena arena = { 0 };
	struct lp_exploration whole, out;
	struct executions all = { 0 }, fewer = { 0 };

	executions_of(lp_explore_graphs, text, within(-1), &arena, &whole, &all);
	for (unsigned i = 0; i < sizeof bounds / sizeof *bounds; i++) {
		struct executions some = { 0 };
		executions_of(lp_explore_bounded, text, within(bounds[i]), &arena, &out, &some);
		if (whole.verdict == LP_VERIFIED) {
			EXPECT(out.verdict == LP_VERIFIED, "%s\n%s", out.text, text);
			EXPECT(out.executions + out.blocked + out.abandoned <= whole.executions + whole.blocked + whole.abandoned,
			       "more graphs within %d than without a bound\n%s", bounds[i], text);
			EXPECT(out.executions == some.count, "%u counted, %u differ\n%s",
			       (unsigned)out.executions, some.count, text);
			EXPECT(!executions_missing(&some, &all), "not an execution:\n%s\n%s",
			       executions_missing(&some, &all), text);
			EXPECT(!executions_missing(&fewer, &some), "gone with %d preemptions:\n%s\n%s",
			       bounds[i], executions_missing(&fewer, &some), text);
		}
		executions_close(&fewer);
		fewer = some;
	}
	if (whole.verdict == LP_VERIFIED)
		EXPECT(!executions_missing(&all, &fewer), "missing:\n%s\n%s",
		       executions_missing(&all, &fewer), text);
	else
		EXPECT(out.verdict == whole.verdict, "%s is missed\n%s", lp_error_name(whole.kind), text);
	executions_close(&fewer);
	executions_close(&all);
	lp_arena_close(&arena);
}

static void test_generated(void)
{
	for (uint64_t seed = 0; seed < 120; seed++) {
		static const unsigned features[] = { 0, 1, 2, 4, 32, 63 };
		char *text = generate_script(seed, features[seed % 6], 5);
		compare(text);
		free(text);
	}
	/* An iteration of a loop that spins, interrupted in its middle. */
	compare("thread; r0 = load.rlx y; top:; r1 = load.acq x; r0 = load.sc x; if r0 == 0 goto top\n"
		"thread; store.rlx y 1; store.rlx x 1; store.rlx y 2\n");
}

/* How schedules are bounded: the n-th of these bounds. */
enum measure { STRICT, LOOSE, DELAYS, ROUNDS };

static struct lp_explore_options bounded_by(enum measure m, int n)
{
	struct lp_explore_options o = within(m <= LOOSE ? n : -1);

	o.reduce.attempts = m == LOOSE;
	o.bounds.delays = m == DELAYS ? 1 + (uint32_t)n : 0;
	o.bounds.rounds = m == ROUNDS ? 1 + (uint32_t)n : 0;
	return o;
}

struct question {
	enum measure measure;
	int bound;
	bool reduced;  /* with reductions that lose no execution */
	bool symmetry; /* up to the names of like threads */
};

enum { THREADS = 8 };

/* Executions up to the names of like threads. */
struct orbits {
	struct executions forms;
	const struct lp_step *steps;
	uint32_t count;
	lp_tid like[THREADS], name[THREADS]; /* the first thread that it is like; its name now */
	struct executions names;             /* of the present execution: all forms */
};

static void add_form(struct orbits *o)
{
	struct lp_step *steps = lp_alloc(sizeof *steps * (o->count + 1));

	memcpy(steps, o->steps, sizeof *steps * o->count);
	for (uint32_t i = 0; i < o->count; i++) {
		steps[i].thread = o->name[steps[i].thread];
		steps[i].op.pc = 0;
	}
	executions_add(&o->names, steps, o->count);
	lp_free(steps);
}

/* Names for the threads from t on; those in `taken` are given. */
static void rename_from(struct orbits *o, lp_tid t, unsigned taken)
{
	if (t == THREADS) {
		add_form(o);
		return;
	}
	for (lp_tid name = 0; name < THREADS; name++) {
		if (taken >> name & 1 || o->like[name] != o->like[t])
			continue;
		o->name[t] = name;
		rename_from(o, t + 1, taken | 1u << name);
	}
}

/* An lp_explore_options.complete: adds the least of the forms. */
static void add_orbit(void *closure, const struct lp_step *steps, uint32_t count)
{
	struct orbits *o = closure;

	o->steps = steps;
	o->count = count;
	for (lp_tid t = 0; t < THREADS; t++)
		o->like[t] = t;
	for (uint32_t i = 0; i < count; i++)
		if (steps[i].op.kind == LP_OP_SPAWN && steps[i].op.elder)
			o->like[steps[i].op.target] = o->like[steps[i].op.elder - 1];
	rename_from(o, 0, 0);
	executions_sort(&o->names);
	LP_PUSH(&o->forms, strdup(o->names.at[0]));
	executions_close(&o->names);
}

/* Explores, and returns what was visited: executions, or orbits. */
static struct executions visited(explorer explore, const char *text, const struct question *q, struct lp_arena *arena,
				 struct lp_exploration *out)
{
	struct lp_explore_options options = bounded_by(q->measure, q->bound);
	struct orbits orbits = { 0 };
	struct executions all = { 0 };

	options.reduce.park = options.reduce.stale = options.reduce.final_joins = q->reduced;
	options.reduce.symmetry = q->symmetry;
	if (!q->symmetry) {
		executions_of(explore, text, options, arena, out, &all);
		return all;
	}
	options.callbacks.complete = add_orbit;
	options.callbacks.closure = &orbits;
	executions_of(explore, text, options, arena, out, NULL);
	executions_sort(&orbits.forms);
	return orbits.forms;
}

/* Do the explorer and all schedules within the bound disagree?  The closure is the question. */
static bool differ(void *closure, const char *text)
{
	const struct question *q = closure;
	struct lp_arena arena = { 0 };
	struct lp_exploration expected, out;
	struct executions naive = visited(schedules_explore, text, q, &arena, &expected);
	struct executions some = visited(lp_explore_bounded, text, q, &arena, &out);
	bool wrong = out.verdict != expected.verdict;
	if (!wrong && out.verdict == LP_VERIFIED)
		wrong = executions_missing(&naive, &some) || executions_missing(&some, &naive) || out.executions != some.count;
	executions_close(&naive);
	executions_close(&some);
	lp_arena_close(&arena);
	return wrong;
}

/* For each bound, what the schedules within it produce. */
static void test_schedules(void)
{
	static const unsigned features[] = { 0, GENERATE_LOCKS | GENERATE_CHOICES, GENERATE_AWAITS, GENERATE_ASSERTS,
					     GENERATE_LOCKS | GENERATE_ASSERTS | GENERATE_AWAITS };
	static const char *const measures[] = { "preemptions", "loose preemptions", "delays", "rounds - 1" };
	const char *given = getenv("SEEDS");
	const uint64_t seeds = given ? strtoull(given, NULL, 10) : 30;

	for (uint64_t seed = 0; seed < seeds; seed++) {
		const bool symmetry = seed % 3 == 2;
		char *text = generate_script(seed, features[seed % 5] | (symmetry ? GENERATE_TWINS : 0), 6);
		for (struct question q = { STRICT, 0, seed % 2, symmetry }; q.measure <= ROUNDS; q.measure++) {
			for (q.bound = 0; q.bound < 5; q.bound++) {
				char *small = differ(&q, text) ? shrink_script(text, differ, &q) : NULL;
				EXPECT(!small, "seed %u, %s: %d\n%s", (unsigned)seed, measures[q.measure], q.bound, small);
				free(small);
			}
		}
		free(text);
	}
}

/* The first thread is helped: in two rounds it is left before its compare-and-swap, the second thread performs that, and goes on.  With
 * `helping` the first one performs it itself when the second one would, which takes no turn. */
static void test_helping(void)
{
	static const char script[] = "thread; store.rlx n 1; cas.rlx.rlx x 0 1; r5 = load.rlx y; assert r5 != 1\n"
				     "thread; r0 = load.rlx x; if r0 != 0 goto out; r1 = load.rlx n; if r1 == 0 goto out;"
				     " cas.rlx.rlx x 0 1; store.rlx y 1; out:\n";

	for (uint32_t rounds = 1; rounds < 3; rounds++) {
		for (int helping = 0; helping < 2; helping++) {
			struct lp_arena arena = { 0 };
			struct lp_exploration out;
			struct lp_explore_options options = within(-1);
			options.reduce.helping = helping;
			options.bounds.rounds = rounds;
			executions_of(lp_explore_bounded, script, options, &arena, &out, NULL);
			EXPECT((out.verdict == LP_VIOLATION) == (rounds == 2), "%u rounds, helping %d: %s", (unsigned)rounds, helping,
			       out.text ? out.text : "no error");
			lp_arena_close(&arena);
		}
	}
}

/* In one round the first thread begins to wait, and because of the last write it waits forever. It could have continued
 * in between, in another round, but such schedules are not counted. */
static void test_waiting(void)
{
	static const char script[] = "thread; r1 = xchg.rlx x 1; r0 = await.rlx x != 1\n"
				     "thread; r3 = add.rlx x 1\n"
				     "thread; r3 = add.rlx x 1; store.rlx x 1\n";

	for (int park = 0; park < 2; park++) {
		struct lp_arena arena = { 0 };
		struct lp_exploration out;
		struct lp_explore_options options = within(-1);
		options.reduce.park = park;
		options.bounds.rounds = 1;
		executions_of(lp_explore_bounded, script, options, &arena, &out, NULL);
		EXPECT(out.verdict == LP_VIOLATION && out.kind == LP_ERROR_DEADLOCK, "park %d: %s", park, out.text ? out.text : "no error");
		lp_arena_close(&arena);
	}
}

static void test_limits(void)
{
	struct lp_explore_options options = within(1000);
	struct lp_arena arena = { 0 };
	struct lp_exploration out;

	lp_memory_limit(20);
	EXPECT(lp_memory_look(), "so little is in use");
	executions_of(lp_explore_bounded, LOCKS LOCKS, options, &arena, &out, NULL);
	EXPECT(out.verdict == LP_INCONCLUSIVE && !strncmp(out.reason, "memory limit of ", 16), "%s",
	       out.reason ? out.reason : "verified");
	lp_memory_limit(0);
	options = within(1);
	options.model = LP_MODEL_TSO;
	executions_of(lp_explore_bounded, SB, options, &arena, &out, NULL);
	EXPECT(out.verdict == LP_INCONCLUSIVE, "tso is no sc");
	options = within(1);
	options.limits.executions = 2;
	executions_of(lp_explore_bounded, SB, options, &arena, &out, NULL);
	EXPECT(out.verdict == LP_INCONCLUSIVE && out.executions == 2, "%u executions",
	       (unsigned)out.executions);
	lp_arena_close(&arena);
}

int main(void)
{
	test_by_hand();
	test_errors();
	test_generated();
	test_schedules();
	test_helping();
	test_waiting();
	test_limits();
	return expect_status();
}
