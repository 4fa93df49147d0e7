/* oracle.c -- the graph explorer against the naive enumerator.
 *
 *     oracle --model rc11 --count 1000 --seed 1     random programs
 *     oracle --model all --file PROGRAM             one program
 *     oracle --counts [--up-to N]                   published numbers of executions
 *
 * For every program: the set of complete graphs that the explorer visits equals
 * the naive one, none comes twice, and it reports a violation of some kind exactly
 * if the naive enumerator knows one of that kind.  When a program fails, it is made
 * smaller and printed with what is missing or too much.
 *
 * Exit status: 0 all agree, 1 some do not, 2 usage.
 */
#include "axioms.h"
#include "collect.h"
#include "counts.h"
#include "generate.h"
#include "naive.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
	int model; /* < 0: all */
	uint64_t count, seed;
	unsigned events;
	int features; /* < 0: any */
	bool no_spin, symmetry, races_ignored, spawns, verbose, keep_going;
	const char *file;
	bool counts;
	uint64_t up_to;
};

/* ---- comparing ---- */

enum comparison { SAME, TOO_LARGE, DIFFERENT };

struct tally {
	uint64_t programs, graphs, too_large, violations, again;
	uint64_t weaker; /* programs that have more graphs, or a race, under rc11-c20 than under rc11 */
};

static bool naive_knows(const struct naive_result *n, enum lp_error_kind kind)
{
	return (kind == LP_ERROR_ASSERTION && n->assertion) || (kind == LP_ERROR_RACE && n->race) ||
	       ((kind == LP_ERROR_DEADLOCK || kind == LP_ERROR_LIVENESS) && n->stuck);
}

static bool verdicts_agree(const struct naive_result *n, const struct lp_exploration *e, bool wrong,
			   bool loud)
{
	if (e->verdict == LP_INCONCLUSIVE) {
		say(loud, "inconclusive: ", e->reason ? e->reason : "");
		return false;
	}
	if (e->verdict == LP_VIOLATION && !naive_knows(n, e->kind)) {
		say(loud, "no such violation: ", lp_error_name(e->kind));
		return false;
	}
	if (e->verdict == LP_VERIFIED && wrong) {
		say(loud, "a violation was missed: ",
		    n->assertion ? "assertion" : n->stuck ? "deadlock or liveness" : "race");
		return false;
	}
	return true;
}

/* Do release sequences of C++20 make a difference? */
static bool is_weaker(const struct lp_script *script, struct naive_options options, const struct naive_result *c20)
{
	struct naive_result c11;

	if (options.model != LP_MODEL_RC11_C20)
		return false;
	options.model = LP_MODEL_RC11;
	naive_enumerate(script, &options, &c11);
	const bool weaker = c11.graphs.count < c20->graphs.count || c11.race < c20->race;
	naive_result_drop(&c11);
	return weaker;
}

static enum comparison compare(const struct settings *s, const char *text, enum lp_model model,
			       struct tally *tally, bool loud)
{
	struct lp_script *script = lp_script_parse(text, NULL);
	const struct naive_options naive_options = {
		.model = model, .spin = !s->no_spin, .weak_fails = true, .plain = s->races_ignored,
		.symmetry = s->symmetry,
	};
	struct naive_result naive;
	enum comparison result = SAME;

	if (!script)
		LP_BUG("a generated script does not parse");
	naive_enumerate(script, &naive_options, &naive);
	if (naive.too_large) {
		tally->too_large++;
		result = TOO_LARGE;
		goto out;
	}

	struct collector c = { .script = script, .plain = s->races_ignored,
			       .symmetry = s->symmetry };
	struct lp_program *program = lp_script_open(script);
	struct lp_arena arena = { 0 };
	struct lp_exploration e = { 0 };
	const struct lp_explore_options options = {
		.model = model, .reduce = { .spin = !s->no_spin, .symmetry = s->symmetry }, .weak_fails = true,
		.races_ignored = s->races_ignored, .callbacks = { .closure = &c, .complete = collect },
	};
	const bool race = naive.race && !s->races_ignored;
	const bool wrong = naive.assertion || naive.stuck || race;

	lp_explore_graphs(program, &options, &arena, &e);

	const uint32_t found = c.graphs.count;
	const uint32_t twice = graph_set_sort(&c.graphs);

	if (!verdicts_agree(&naive, &e, wrong, loud))
		result = DIFFERENT;
	/* Under rc11 a like thread can read what depends on another's read without coming
	 * after that: then more than one order of the threads may be explored. */
	const bool exact = !s->symmetry || (model != LP_MODEL_RC11 && model != LP_MODEL_RC11_C20);
	if (twice && exact && describes_all(script, s->races_ignored)) {
		say(loud, "graphs visited more than once", "");
		result = DIFFERENT;
	}
	if (e.verdict != LP_VIOLATION && e.executions != found) {
		say(loud, "the number of executions is not that of calls of complete()", "");
		result = DIFFERENT;
	}
	/* After a race values of plain reads mean nothing: nothing to compare. */
	if (!(race && e.verdict == LP_VIOLATION) &&
	    !compare_sets(&naive.graphs, &c.graphs, e.verdict != LP_VERIFIED, loud))
		result = DIFFERENT;
	tally->programs++;
	tally->graphs += naive.graphs.count;
	tally->violations += wrong;
	tally->again += exact ? 0 : twice;
	tally->weaker += is_weaker(script, naive_options, &naive);
	collector_drop(&c);
	lp_script_close(program);
	lp_arena_close(&arena);
out:
	naive_result_drop(&naive);
	lp_script_drop(script);
	return result;
}

/* ---- random programs ---- */

struct failing {
	const struct settings *settings;
	enum lp_model model;
};

static bool still_fails(void *closure, const char *text)
{
	const struct failing *f = closure;
	struct tally ignored = { 0 };

	return compare(f->settings, text, f->model, &ignored, false) == DIFFERENT;
}

static void report(const struct settings *s, const char *text, enum lp_model model, uint64_t seed)
{
	struct failing f = { s, model };
	struct tally ignored = { 0 };
	char *small = shrink_script(text, still_fails, &f);

	printf("model %s, seed %llu: explorer and naive enumerator differ on\n%s", axiom_model_names[model],
	       (unsigned long long)seed, small);
	compare(s, small, model, &ignored, true);
	free(small);
}

/* Which features the program of this seed has: often none, rarely all. */
static unsigned features_of(const struct settings *s, uint64_t seed)
{
	const uint64_t bits = lp_mix(seed ^ UINT64_C(0x5bd1e995));
	unsigned features = (unsigned)(bits & bits >> 8) & 63;

	if (s->features >= 0)
		features = (unsigned)s->features;
	else if (s->races_ignored)
		features |= GENERATE_PLAIN;
	if (s->no_spin)
		features &= ~(unsigned)GENERATE_LOOPS;
	if (s->symmetry)
		features |= GENERATE_TWINS;
	return features;
}

static unsigned run_random(const struct settings *s, enum lp_model model)
{
	struct tally tally = { 0 };
	unsigned failures = 0;

	for (uint64_t i = 0; i < s->count && (!failures || s->keep_going); i++) {
		const uint64_t seed = s->seed + i;
		const unsigned features = features_of(s, seed);
		char *text = generate_script(seed, features, s->events ? s->events : 4 + (unsigned)(seed % 5));

		if (model == LP_MODEL_RC11_C20)
			text = generate_again(text, seed);
		if (s->spawns)
			text = generate_spawns(text, seed);
		if (s->verbose)
			printf("# seed %llu\n%s", (unsigned long long)seed, text);
		if (compare(s, text, model, &tally, false) == DIFFERENT) {
			report(s, text, model, seed);
			failures++;
		}
		free(text);
	}
	printf("%s: %llu programs, %llu graphs (%llu again), %llu with violations, "
	       "%llu too large, %u failures\n",
	       axiom_model_names[model], (unsigned long long)tally.programs,
	       (unsigned long long)tally.graphs, (unsigned long long)tally.again,
	       (unsigned long long)tally.violations, (unsigned long long)tally.too_large, failures);
	const bool c20 = model == LP_MODEL_RC11_C20;
	if (c20)
		printf("%llu programs differ from rc11\n", (unsigned long long)tally.weaker);
	/* Agreement on nothing is none; and what is visited again is the exception. */
	return failures + (c20 && s->count >= 1000 && !tally.weaker) +
	       (tally.programs == 0 || tally.too_large > tally.programs || tally.again > tally.graphs / 50);
}

static unsigned run_file(const struct settings *s, enum lp_model model)
{
	struct tally tally = { 0 };
	struct { LP_VEC(char); } text = { 0 };
	struct lp_error error = { 0 };
	FILE *in = fopen(s->file, "r");
	unsigned failures = 1;

	if (!in) {
		fprintf(stderr, "cannot open '%s'\n", s->file);
		return 1;
	}
	for (int ch; (ch = fgetc(in)) != EOF;)
		LP_PUSH(&text, (char)ch);
	LP_PUSH(&text, 0);
	fclose(in);

	struct lp_script *script = lp_script_parse(text.at, &error);
	if (!script) {
		fprintf(stderr, "%s: %s\n", s->file, error.text);
	} else {
		failures = compare(s, text.at, model, &tally, true) != SAME;
		printf("%s: %s: %llu graphs: %s\n", s->file, axiom_model_names[model],
		       (unsigned long long)tally.graphs, failures ? "different" : "same");
	}
	lp_script_drop(script);
	lp_free(text.at);
	return failures;
}

/* ---- published counts ---- */

static bool count_agrees(const struct count_case *c)
{
	char *text = c->make(c->n);
	struct lp_script *script = lp_script_parse(text, NULL);
	struct lp_program *program = lp_script_open(script);
	const struct lp_explore_options options = { .model = c->model, .reduce.spin = true };
	const struct naive_options naive_options = { .model = c->model, .max_states = 3000 };
	struct lp_arena arena = { 0 };
	struct lp_exploration e = { 0 };
	struct naive_result naive = { .too_large = true };

	lp_explore_graphs(program, &options, &arena, &e);
	if (c->executions <= 100)
		naive_enumerate(script, &naive_options, &naive);

	const bool agrees = e.verdict == LP_VERIFIED && e.executions == c->executions &&
			    (naive.too_large || naive.graphs.count == c->executions);

	printf("%s(%u) %s: %llu executions, %llu blocked%s, expected %llu%s\n", c->name, c->n,
	       axiom_model_names[c->model], (unsigned long long)e.executions,
	       (unsigned long long)e.blocked, naive.too_large ? "" : " (naive agrees on its own)",
	       (unsigned long long)c->executions, agrees ? "" : ": WRONG");
	naive_result_drop(&naive);
	lp_script_close(program);
	lp_script_drop(script);
	lp_arena_close(&arena);
	free(text);
	return agrees;
}

static unsigned run_counts(const struct settings *s)
{
	unsigned failures = 0;

	for (unsigned i = 0; i < count_case_count; i++)
		if (!s->up_to || count_cases[i].executions <= s->up_to)
			failures += !count_agrees(&count_cases[i]);
	return failures;
}

/* ---- the command line ---- */

static bool parse_model(const char *name, int *model)
{
	for (int i = 0; i < AXIOM_MODELS; i++)
		if (!strcmp(axiom_model_names[i], name)) {
			*model = i;
			return true;
		}
	*model = -1;
	return !strcmp(name, "all");
}

static bool parse_options(int argc, char **argv, struct settings *s)
{
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;

		if (!strcmp(argv[i], "--counts"))
			s->counts = true;
		else if (!strcmp(argv[i], "--no-spin"))
			s->no_spin = true;
		else if (!strcmp(argv[i], "--symmetry"))
			s->symmetry = true;
		else if (!strcmp(argv[i], "--races-ignored"))
			s->races_ignored = true;
		else if (!strcmp(argv[i], "--spawns"))
			s->spawns = true;
		else if (!strcmp(argv[i], "--verbose"))
			s->verbose = true;
		else if (!strcmp(argv[i], "--keep-going"))
			s->keep_going = true;
		else if (!value)
			return false;
		else if (!strcmp(argv[i], "--model") && parse_model(value, &s->model))
			i++;
		else if (!strcmp(argv[i], "--count"))
			s->count = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--seed"))
			s->seed = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--events"))
			s->events = (unsigned)strtoul(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--features"))
			s->features = (int)strtoul(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--up-to"))
			s->up_to = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--file"))
			s->file = argv[++i];
		else
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct settings s = { .model = -1, .count = 1000, .seed = 1, .features = -1 };
	unsigned failures = 0;

	if (!parse_options(argc, argv, &s)) {
		fprintf(stderr,
			"usage: oracle [--model sc|tso|ra|rc11|rc11-c20|all] [--count N] [--seed S] [--events N]\n"
			"              [--features BITS] [--no-spin] [--symmetry]\n"
			"              [--races-ignored] [--spawns] [--verbose]\n"
			"              [--keep-going] [--file SCRIPT] | --counts [--up-to EXECUTIONS]\n");
		return 2;
	}
	if (s.counts)
		return run_counts(&s) != 0;
	for (int m = 0; m < AXIOM_MODELS; m++) {
		if (s.model >= 0 && s.model != m)
			continue;
		if (s.races_ignored && m != LP_MODEL_SC && m != LP_MODEL_TSO)
			continue;
		failures += s.file ? run_file(&s, (enum lp_model)m) : run_random(&s, (enum lp_model)m);
	}
	return failures != 0;
}
