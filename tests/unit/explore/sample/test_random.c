/* test_random.c -- sampled executions, against all that there are. */
#include "executions.h"
#include "scripts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "oracle/generate.h"

static struct lp_explore_options options_for(enum lp_model model, uint64_t samples, uint64_t seed)
{
	return (struct lp_explore_options){ .model = model, .reduce.spin = true, .weak_fails = true,
					    .sampling = { .executions = samples, .seed = seed } };
}

/* Samples `text`; all must be among the executions that there are.  How many are not hit? */
static uint32_t sample(const char *text, struct lp_explore_options options, const char **kind)
{
	struct lp_arena arena = { 0 };
	struct lp_exploration whole, sampled;
	struct executions all = { 0 }, some = { 0 };

	executions_of(lp_explore_graphs, text, options, &arena, &whole, &all);
	executions_of(lp_explore_random, text, options, &arena, &sampled, &some);
	EXPECT(sampled.verdict != LP_VERIFIED, "a sample verifies");
	EXPECT(sampled.distinct == some.count, "%u differ, not %u\n%s", (unsigned)some.count,
	       (unsigned)sampled.distinct, text);
	if (whole.verdict == LP_VERIFIED) {
		const char *strange = executions_missing(&some, &all);
		EXPECT(!sampled.kind, "%s, where there is no error\n%s", lp_error_name(sampled.kind), text);
		EXPECT(!strange, "not an execution, model %d:\n%s\n%s", options.model, strange, text);
	}
	*kind = !sampled.kind == !whole.kind ? "" : lp_error_name(whole.kind ? whole.kind : sampled.kind);
	const uint32_t missed = all.count - some.count;
	executions_close(&all);
	executions_close(&some);
	lp_arena_close(&arena);
	return whole.kind ? 0 : missed;
}

static void test_all_are_hit(void)
{
	static const char *const scripts[] = { SB, MP, IRIW, CASROT, LOCKS, SPIN, TAS TAS, MISC };

	for (unsigned i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		for (enum lp_model m = LP_MODEL_SC; m <= LP_MODEL_RC11_C20; m++) {
			const char *kind;
			const uint32_t missed = sample(scripts[i], options_for(m, 2000, 1), &kind);
			EXPECT(!missed && !*kind, "model %d: %u executions are not met %s\n%s", m,
			       missed, kind, scripts[i]);
		}
	}
}

static void test_generated(void)
{
	for (uint64_t seed = 0; seed < 60; seed++) {
		char *text = generate_script(seed, seed % 2 ? 63 : 0, 5);
		for (enum lp_model m = LP_MODEL_SC; m <= LP_MODEL_RC11_C20; m++) {
			struct lp_explore_options options = options_for(m, 200, seed);
			const char *kind;
			options.sampling.pct = seed % 3 ? 0 : 3;
			sample(text, options, &kind);
			EXPECT(!*kind, "model %d: %s not met\n%s", m, kind, text);
		}
		free(text);
	}
}

static void test_errors(void)
{
	static const struct { const char *script; enum lp_error_kind kind; } cases[] = {
		{ LOST, LP_ERROR_ASSERTION }, { DEADLOCK, LP_ERROR_DEADLOCK }, { MISSED, LP_ERROR_DEADLOCK },
		{ LIVELOCK, LP_ERROR_LIVENESS }, { RACE, LP_ERROR_RACE },
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (unsigned how = 0; how < 8; how++) {
			struct lp_explore_options options = options_for(how / 2, 1000, 1);
			struct lp_arena arena = { 0 };
			struct lp_exploration out, again;
			options.sampling.pct = how % 2 ? 2 : 0;
			/* Under sc and tso reading the flag orders the accesses. */
			const bool none = cases[i].kind == LP_ERROR_RACE && options.model != LP_MODEL_RC11;
			executions_of(lp_explore_random, cases[i].script, options, &arena, &out, NULL);
			if (none) {
				EXPECT(!out.kind, "%s\n%s", lp_error_name(out.kind), cases[i].script);
				lp_arena_close(&arena);
				continue;
			}
			EXPECT(out.verdict == LP_VIOLATION && out.kind == cases[i].kind,
			       "model %d pct %u: %s, not %s\n%s", options.model, options.sampling.pct,
			       out.kind ? lp_error_name(out.kind) : "nothing", lp_error_name(cases[i].kind), cases[i].script);
			/* The text says how to have the same again. */
			const char *seed = out.text ? strstr(out.text, "--seed ") : NULL;
			EXPECT(seed, "no seed in '%s'", out.text);
			if (seed) {
				options.sampling.executions = 1;
				options.sampling.seed = strtoull(seed + strlen("--seed "), NULL, 10);
				executions_of(lp_explore_random, cases[i].script, options, &arena,
					      &again, NULL);
				EXPECT(again.kind == cases[i].kind &&
				       again.step_count == out.step_count,
				       "not the same again: '%s'\n%s", again.text, cases[i].script);
			}
			lp_arena_close(&arena);
		}
	}
}

/* Everything that is visited, in order, and the result. */
static char *record(const char *text, struct lp_explore_options options)
{
	struct lp_arena arena = { 0 };
	struct lp_exploration out;
	struct executions set = { 0 };
	char *all;
	size_t size;
	FILE *file = open_memstream(&all, &size);

	options.callbacks.complete = executions_add;
	options.callbacks.closure = &set;
	executions_of(lp_explore_random, text, options, &arena, &out, NULL);
	for (uint32_t i = 0; i < set.count; i++)
		fprintf(file, "%s\n", set.at[i]);
	fprintf(file, "%s %s %u", out.text ? out.text : "", out.reason ? out.reason : "",
		(unsigned)out.distinct);
	fclose(file);
	executions_close(&set);
	lp_arena_close(&arena);
	return all;
}

static void test_determinism(void)
{
	static const char *const scripts[] = { IRIW, LOCKS, MISC, LOST, TAS TAS };

	for (unsigned i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		for (uint32_t pct = 0; pct < 3; pct += 2) {
			struct lp_explore_options options = options_for(LP_MODEL_RC11, 50, 7);
			options.sampling.pct = pct;
			char *first = record(scripts[i], options), *second = record(scripts[i], options);
			EXPECT(!strcmp(first, second), "not the same for the same seed\n%s", scripts[i]);
			options.sampling.seed = 8;
			free(second);
			second = record(scripts[i], options);
			EXPECT(strcmp(first, second), "the same for another seed\n%s", scripts[i]);
			free(first);
			free(second);
		}
	}
	char *text = record(SB, options_for(LP_MODEL_SC, 20, 7));
	EXPECT(strstr(text, "sampled 20 executions at random (seed 7)"), "%s", text);
	free(text);
}

int main(void)
{
	test_all_are_hit();
	test_generated();
	test_errors();
	test_determinism();
	return expect_status();
}
