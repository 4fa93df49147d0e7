/* oracle.c -- the graph explorer against the naive enumerator.
 *
 *     oracle --model rc11 --count 1000 --seed 1     random programs
 *     oracle --model all --file PROGRAM             one program
 *     oracle --counts [--up-to N]                   published numbers of executions
 *     oracle --mixed ...                            races and memory, with all sets of
 *                                                   reductions (mixed.h)
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
#include "mixed.h"
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
	bool no_spin, helping, sparing, attempts, stopped, idle, vain, mixed, symmetry, races_ignored, verbose, keep_going;
	unsigned without; /* reductions, with --mixed */
	int pattern;      /* of generate_mixed.c; < 0: any */
	const char *file;
	bool counts;
	uint64_t up_to;
};

/* ---- comparing ---- */

enum comparison { SAME, TOO_LARGE, DIFFERENT };

struct tally {
	uint64_t programs, graphs, too_large, violations, again, left_out;
	uint64_t weaker; /* programs that have more graphs, or a race, under rc11-c20 than under rc11 */
};

static bool naive_knows(const struct naive_result *n, const char *kind)
{
	return (!strcmp(kind, "assertion") && n->assertion) || (!strcmp(kind, "race") && n->race) ||
	       ((!strcmp(kind, "deadlock") || !strcmp(kind, "liveness")) && n->stuck);
}

static bool verdicts_agree(const struct naive_result *n, const struct lp_exploration *e, bool wrong,
			   bool loud)
{
	if (e->verdict == LP_INCONCLUSIVE) {
		say(loud, "inconclusive: ", e->reason ? e->reason : "");
		return false;
	}
	if (e->verdict == LP_VIOLATION && !naive_knows(n, e->kind)) {
		say(loud, "no such violation: ", e->kind);
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
		.model = model, .spin = !s->no_spin, .weak_fails = true, .preemptions = -1,
		.races_ignored = s->races_ignored, .closure = &c, .complete = collect,
		.symmetry = s->symmetry,
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

/* ---- reductions that are not about graphs ---- */

struct exploration {
	struct collector c;
	struct lp_arena arena;
	struct lp_exploration e;
	struct graph_set outcomes;
};

static void explore(const struct settings *s, const struct lp_script *script, enum lp_model model,
		    bool reduced, struct exploration *x)
{
	*x = (struct exploration){ .c = { .script = script, .symmetry = s->symmetry } };
	struct lp_program *program = lp_script_open(script);
	const struct lp_explore_options options = {
		.model = model, .spin = true, .weak_fails = true, .preemptions = -1, .closure = &x->c,
		.complete = collect, .begun_anew = collect_again,
		.helping = reduced && s->helping, .attempts = reduced && s->attempts, .idle = reduced && s->idle, .vain = reduced && s->vain,
		.limits = { .steps = 60, .executions = 20000 },
	};

	lp_explore_graphs(program, &options, &x->arena, &x->e);
	for (uint32_t i = 0; i < x->e.outcome_count; i++)
		LP_PUSH(&x->outcomes, strdup(x->e.outcomes[i].text));
	graph_set_sort(&x->outcomes);
	lp_script_close(program);
}

static void drop(struct exploration *x)
{
	collector_drop(&x->c);
	graph_set_drop(&x->outcomes);
	lp_arena_close(&x->arena);
}

/* The exploration without, held against the naive enumerator elsewhere, and the one in which
 * nobody helps, or reads, in vain, or is idle: the same verdict and outcomes, and no graph that is none.
 * Only idle operations that are taken for reads may make more of them. */
static enum comparison compare_reduced(const struct settings *s, const char *text,
				       enum lp_model model, struct tally *tally, bool loud)
{
	struct lp_script *script = lp_script_parse(text, NULL);
	struct exploration all, fewer;
	enum comparison result = SAME;

	if (!script)
		LP_BUG("a generated script does not parse");
	explore(s, script, model, false, &all);
	explore(s, script, model, true, &fewer);
	graph_set_sort(&all.c.graphs);
	if (all.e.verdict == LP_INCONCLUSIVE || (all.e.kind && !strcmp(all.e.kind, "endless loop"))) {
		tally->too_large++;
		result = TOO_LARGE;
		goto out;
	}
	if (graph_set_sort(&fewer.c.graphs) && describes_all(script, false)) {
		say(loud, "graphs visited more than once", "");
		result = DIFFERENT;
	}
	if (all.e.verdict != fewer.e.verdict) {
		say(loud, "the verdict is another one, without it ", all.e.kind ? all.e.kind : "none");
		result = DIFFERENT;
	} else if (all.e.verdict == LP_VERIFIED &&
		   ((!s->idle && !compare_sets(&all.c.graphs, &fewer.c.graphs, true, loud)) ||
		    (s->idle ? !compare_sets(&fewer.outcomes, &all.outcomes, true, loud)
			     : !compare_sets(&all.outcomes, &fewer.outcomes, false, loud)))) {
		result = DIFFERENT;
	}
	tally->programs++;
	tally->graphs += all.c.graphs.count;
	tally->violations += all.e.verdict == LP_VIOLATION;
	if (all.e.verdict == LP_VERIFIED)
		tally->left_out += all.c.graphs.count - fewer.c.graphs.count;
out:
	drop(&all);
	drop(&fewer);
	lp_script_drop(script);
	return result;
}

static bool is_reduced(const struct settings *s)
{
	return s->helping || s->attempts || s->idle || s->vain;
}

static enum comparison compare_any(const struct settings *s, const char *text, enum lp_model model,
				   struct tally *tally, bool loud)
{
	return (is_reduced(s) ? compare_reduced : compare)(s, text, model, tally, loud);
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

	return compare_any(f->settings, text, f->model, &ignored, false) == DIFFERENT;
}

static void report(const struct settings *s, const char *text, enum lp_model model, uint64_t seed)
{
	struct failing f = { s, model };
	struct tally ignored = { 0 };
	char *small = shrink_script(text, still_fails, &f);

	printf("model %s, seed %llu: explorer and naive enumerator differ on\n%s", axiom_model_names[model],
	       (unsigned long long)seed, small);
	compare_any(s, small, model, &ignored, true);
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
		char *text = s->helping ? generate_helping(seed, s->sparing) :
			     s->attempts ? generate_attempts(seed) :
			     s->stopped ? generate_stopped(seed) :
			     s->idle || s->vain ? generate_vain(seed) :
			     generate_script(seed, features, s->events ? s->events : 4 + (unsigned)(seed % 5));

		if (model == LP_MODEL_RC11_C20)
			text = generate_again(text, seed);
		if (s->verbose)
			printf("# seed %llu\n%s", (unsigned long long)seed, text);
		if (compare_any(s, text, model, &tally, false) == DIFFERENT) {
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
	if (is_reduced(s))
		printf("%llu graphs left out\n", (unsigned long long)tally.left_out);
	const bool c20 = model == LP_MODEL_RC11_C20 && !is_reduced(s);
	if (c20)
		printf("%llu programs differ from rc11\n", (unsigned long long)tally.weaker);
	/* Agreement on nothing is none; and what is visited again is the exception. */
	return failures + (is_reduced(s) && !tally.left_out) + (c20 && s->count >= 1000 && !tally.weaker) + (tally.programs == 0 || tally.too_large > tally.programs ||
			   tally.again > tally.graphs / 50);
}

/* ---- programs with plain accesses and frees ---- */

static bool mixed_still_fails(void *closure, const char *text)
{
	struct mixed_tally ignored = { 0 };

	return mixed_compare(text, closure, &ignored) == MIXED_DIFFERENT;
}

static void report_mixed(const char *text, struct mixed_options *options)
{
	struct mixed_tally ignored = { 0 };
	char *small = shrink_script(text, mixed_still_fails, options);

	printf("model %s, seed %llu: explorer and naive enumerator differ on\n%s",
	       axiom_model_names[options->model], (unsigned long long)options->seed, small);
	options->seed = MIXED_EVERY;
	options->loud = true;
	mixed_compare(small, options, &ignored);
	fflush(stdout);
	free(small);
}

static unsigned run_mixed(const struct settings *s, enum lp_model model)
{
	struct mixed_tally tally = { 0 };
	unsigned failures = 0;

	for (uint64_t i = 0; i < s->count && (!failures || s->keep_going); i++) {
		char *text = generate_mixed(s->seed + i, s->pattern);

		if (model == LP_MODEL_RC11_C20)
			text = generate_again(text, s->seed + i);
		if (s->verbose)
			printf("# seed %llu\n%s", (unsigned long long)(s->seed + i), text);
		struct mixed_options options = { model, s->seed + i, s->without, false };
		if (mixed_compare(text, &options, &tally) == MIXED_DIFFERENT) {
			report_mixed(text, &options);
			failures++;
		}
		free(text);
	}
	printf("%s: %llu programs, %llu explorations, %llu graphs, %llu wrong (%llu of them race or misuse "
	       "memory), %llu too large, %llu ill-formed, %u failures\n", axiom_model_names[model],
	       (unsigned long long)tally.programs, (unsigned long long)tally.explorations,
	       (unsigned long long)tally.graphs, (unsigned long long)tally.wrong,
	       (unsigned long long)tally.undefined, (unsigned long long)tally.too_large,
	       (unsigned long long)tally.ill_formed, failures);
	/* Little is learned of programs most of which are wrong, or none; or of reductions that had
	 * nothing to do.  (The end of main() is no less of an execution for being known.) */
	bool idle = tally.too_large * 10 > tally.programs || tally.undefined * 5 > tally.programs * 4 ||
		    tally.undefined * 5 < tally.programs;
	for (unsigned i = 0; i < MIXED_REDUCTIONS; i++) {
		const bool counts = !(s->without >> i & 1) && 1u << i != mixed_reduction("tail");
		printf(" %s %llu", mixed_reduction_name(i), (unsigned long long)tally.mattered[i]);
		idle |= counts && s->pattern < 0 && s->count >= 3000 && !tally.mattered[i];
	}
	puts(": programs, of every eighth, for which the reduction mattered");
	if (idle)
		puts("too little was compared");
	return failures + idle;
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
		struct mixed_tally ignored = { 0 };
		const struct mixed_options every = { model, MIXED_EVERY, s->without, true };
		failures = s->mixed ? mixed_compare(text.at, &every, &ignored) != MIXED_SAME
				    : compare_any(s, text.at, model, &tally, true) != SAME;
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
	const struct lp_explore_options options = { .model = c->model, .spin = true, .preemptions = -1 };
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
		else if (!strcmp(argv[i], "--helping"))
			s->helping = true;
		else if (!strcmp(argv[i], "--sparing"))
			s->helping = s->sparing = true;
		else if (!strcmp(argv[i], "--attempts"))
			s->attempts = true;
		else if (!strcmp(argv[i], "--stopped"))
			s->stopped = true;
		else if (!strcmp(argv[i], "--idle"))
			s->idle = s->vain = true;
		else if (!strcmp(argv[i], "--vain"))
			s->vain = true;
		else if (!strcmp(argv[i], "--mixed"))
			s->mixed = true;
		else if (!strcmp(argv[i], "--symmetry"))
			s->symmetry = true;
		else if (!strcmp(argv[i], "--races-ignored"))
			s->races_ignored = true;
		else if (!strcmp(argv[i], "--verbose"))
			s->verbose = true;
		else if (!strcmp(argv[i], "--keep-going"))
			s->keep_going = true;
		else if (!value)
			return false;
		else if (!strcmp(argv[i], "--without") && mixed_reduction(value))
			s->without |= mixed_reduction(argv[++i]);
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
		else if (!strcmp(argv[i], "--pattern"))
			s->pattern = (int)strtoul(argv[++i], NULL, 10);
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
	struct settings s = { .model = -1, .count = 1000, .seed = 1, .features = -1, .pattern = -1 };
	unsigned failures = 0;

	if (!parse_options(argc, argv, &s)) {
		fprintf(stderr,
			"usage: oracle [--model sc|tso|ra|rc11|rc11-c20|all] [--count N] [--seed S] [--events N]\n"
			"              [--features BITS] [--no-spin] [--helping | --sparing | --attempts | --idle | --vain | --stopped] [--symmetry]\n"
			"              [--races-ignored] [--verbose] [--mixed [--without REDUCTION]... [--pattern N]]\n"
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
		failures += s.file ? run_file(&s, (enum lp_model)m) :
			    s.mixed ? run_mixed(&s, (enum lp_model)m) : run_random(&s, (enum lp_model)m);
	}
	return failures != 0;
}
