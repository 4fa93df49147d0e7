/* native.c -- the judge's programs as compiled C, explored under the runtime.
 *
 *     judge_native [--model M] [--programs N] [--seed N] [--family NAME] [--with SET] [--without SET]
 *
 * What native code adds to scripts: live states that the front end finds, memory that the runtime hands out, locks that
 * are the library's.  A file holds many programs, as compiling one costs more than exploring it; its main() asks which it
 * is to be.  Each is explored with several sets of reductions.  It must have an error exactly if the script has one, of
 * such a kind, and the same outcomes.  (That the script is explored rightly `judge` decides.)
 *
 * Exit status: 0 all agree, 1 some do not, or nothing was compared, 2 usage.
 */
#define _GNU_SOURCE
#include "generate.h"
#include "generate_judged.h"
#include "judge.h"
#include "models.h"
#include "naive.h"
#include "translate.h"

#include "base/error.h"
#include "base/hash.h"
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 50, STEPS = 80, EXECUTIONS = 400, BLOCKED = 2000 };

struct settings {
	int model, family; /* < 0: any */
	uint64_t programs, seed;
	unsigned with, without; /* in every set of reductions, in none */
};

static unsigned selected;

/* For the programs. */
__attribute__((visibility("default"))) unsigned native_selected(void);
unsigned native_selected(void)
{
	return selected;
}

/* ---- what is to be found ---- */

struct expected {
	uint64_t seed;
	struct lp_script *script;
	struct lp_arena arena;
	struct lp_exploration e; /* of the script */
	struct naive_result naive; /* if that has an error */
	bool asked;
};

static void explore(struct lp_program *program, enum lp_model model, unsigned set, struct lp_arena *arena,
		    struct lp_exploration *e)
{
	struct lp_explore_options options = {
		.model = model, .weak_fails = true, .jobs = 1,
		.limits = { .steps = STEPS, .executions = EXECUTIONS, .blocked = BLOCKED },
	};

#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) options.reduce.field = set & USE_##field;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	lp_explore_graphs(program, &options, arena, e);
}

static bool is_stuck(enum lp_error_kind kind)
{
	return kind == LP_ERROR_DEADLOCK || kind == LP_ERROR_LIVENESS;
}

/* Can the program be compared? */
static bool expect(struct expected *x, enum lp_model model)
{
	struct lp_program *program = lp_script_open(x->script);

	explore(program, model, USE_spin, &x->arena, &x->e);
	lp_script_close(program);
	if (x->e.verdict == LP_INCONCLUSIVE || x->e.kind == LP_ERROR_ENDLESS)
		return false;
	if (x->e.verdict == LP_VERIFIED)
		return true;
	const struct naive_options options = { .model = model, .spin = true, .weak_fails = true, .judge = true, .patience = 1 };
	naive_enumerate(x->script, &options, &x->naive);
	x->asked = true;
	return !x->naive.too_large && !x->naive.ill_formed;
}

static bool may_be(const struct expected *x, enum lp_error_kind kind)
{
	const struct naive_result *n = &x->naive;

	return n->race || n->misuse || (n->assertion && kind == LP_ERROR_ASSERTION) || (n->stuck && is_stuck(kind)) ||
	       n->out_of_bounds;
}

/* ---- what is found ---- */

static bool has_outcome(const struct lp_exploration *e, const char *text)
{
	for (uint32_t i = 0; i < e->outcome_count; i++)
		if (!strcmp(e->outcomes[i].text, text))
			return true;
	return false;
}

/* The outcome of the script as the C program says it: "1:r2=0 2:r2=1" is "0 1 ". */
static void numbers_of(const char *outcome, char *out, size_t size)
{
	size_t used = 0;

	for (const char *at = strchr(outcome, '='); at && used + 24 < size; at = strchr(at + 1, '='))
		used += (size_t)snprintf(out + used, size - used, "%.*s ", (int)strcspn(at + 1, " "), at + 1);
}

static bool outcomes_agree(const struct expected *x, const struct lp_exploration *e)
{
	char text[500];

	if (x->e.outcome_count != e->outcome_count) {
		printf("# %u outcomes, and not %u\n", e->outcome_count, x->e.outcome_count);
		return false;
	}
	for (uint32_t i = 0; i < x->e.outcome_count; i++) {
		numbers_of(x->e.outcomes[i].text, text, sizeof text);
		if (!has_outcome(e, text)) {
			printf("# missing: %s\n", text);
			return false;
		}
	}
	return true;
}

enum answer { SAME, DIFFERENT, NOT_COMPARED };

static enum answer compare(const struct expected *x, struct lp_native *native, enum lp_model model, unsigned set)
{
	struct lp_arena arena = { 0 };
	struct lp_exploration e = { 0 };
	enum answer answer = SAME;

	explore(native->program, model, set, &arena, &e);
	if (e.verdict == LP_INCONCLUSIVE || e.kind == LP_ERROR_ENDLESS) {
		answer = NOT_COMPARED;
	} else if (e.verdict != x->e.verdict) {
		printf("# %s, and not %s\n", e.kind ? lp_error_name(e.kind) : "no error",
		       x->e.kind ? lp_error_name(x->e.kind) : "none");
		answer = DIFFERENT;
	} else if (e.verdict == LP_VIOLATION) {
		if (!may_be(x, e.kind)) {
			printf("# no execution has an error of kind %s\n", lp_error_name(e.kind));
			answer = DIFFERENT;
		}
	} else if (!(set & (USE_symmetry | USE_final_joins | USE_silent_rmw)) && translates_results(x->script) && !outcomes_agree(x, &e)) {
		answer = DIFFERENT;
	}
	lp_arena_close(&arena);
	return answer;
}

/* ---- many at once ---- */

struct tally {
	uint64_t programs, errors, compared, not_compared, failures;
};

static void write_batch(const char *path, const struct expected *batch, unsigned count)
{
	FILE *out = fopen(path, "w");

	if (!out)
		LP_BUG("cannot write '%s'", path);
	fprintf(out, "%sunsigned native_selected(void);\n", translate_head);
	for (unsigned i = 0; i < count; i++)
		translate(batch[i].script, i, out);
	fputs("int main(void)\n{\n\tswitch (native_selected()) {\n", out);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, "\tcase %u: return main_%u();\n", i, i);
	fputs("\tdefault: return 1;\n\t}\n}\n", out);
	fclose(out);
}

static void compare_one(const struct settings *s, const struct expected *x, struct lp_native *native,
			enum lp_model model, struct tally *tally)
{
	unsigned sets[] = { USE_spin, USE_ALL & ~(unsigned)(USE_silent_rmw | USE_rereads), USE_ALL, USE_spin };
	char name[100];

	/* With the last one outcomes are compared. */
	sets[3] |= (unsigned)(lp_mix(x->seed + 13) >> 7) & USE_ALL & ~(unsigned)(USE_symmetry | USE_final_joins | USE_silent_rmw);
	tally->programs++;
	tally->errors += x->e.verdict == LP_VIOLATION;
	for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
		sets[i] = sensible_set((sets[i] | s->with) & ~s->without);
		const enum answer answer = compare(x, native, model, sets[i]);

		tally->compared += answer == SAME;
		tally->not_compared += answer == NOT_COMPARED;
		if (answer != DIFFERENT)
			continue;
		char *text = lp_script_print(x->script);
		print_set(name, sizeof name, sets[i]);
		printf("# %s, seed %llu, model %s: native code differs with %s\n%s",
		       family_name(s->family < 0 ? family_of(x->seed) : (unsigned)s->family),
		       (unsigned long long)x->seed, axiom_model_names[model], name, text);
		fflush(stdout);
		free(text);
		tally->failures++;
		return;
	}
}

static void run_batch(const struct settings *s, struct expected *batch, unsigned count, enum lp_model model,
		      struct tally *tally)
{
	struct lp_runtime_options options = LP_RUNTIME_DEFAULTS;
	char path[] = "/tmp/judge-XXXXXX.c";
	struct lp_error error = { .hint = "" };
	struct lp_native native;
	const int file = mkstemps(path, 2);

	if (file < 0)
		LP_BUG("cannot make a temporary file");
	close(file);
	write_batch(path, batch, count);
	options.file = path;
	if (!lp_native_open(&native, &options, &error))
		LP_BUG("'%s' does not compile: %s", path, error.text);
	for (selected = 0; selected < count; selected++)
		compare_one(s, &batch[selected], &native, model, tally);
	lp_native_close(&native);
	unlink(path);
}

static void drop(struct expected *x)
{
	if (x->asked)
		naive_result_drop(&x->naive);
	lp_arena_close(&x->arena);
	lp_script_drop(x->script);
}

static bool run(const struct settings *s, enum lp_model model)
{
	static struct expected batch[BATCH];
	struct tally tally = { 0 };
	unsigned count = 0;

	for (uint64_t i = 0; i < s->programs; i++) {
		char *text = generate_judged(s->seed + i, s->family);

		if (model == LP_MODEL_RC11_C20)
			text = generate_again(text, s->seed + i);
		struct expected x = { .seed = s->seed + i, .script = lp_script_parse(text, NULL) };

		free(text);
		if (x.script && can_translate(x.script) && expect(&x, model))
			batch[count++] = x;
		else if (x.script)
			drop(&x);
		if (count && (count == BATCH || i + 1 == s->programs)) {
			run_batch(s, batch, count, model, &tally);
			for (unsigned k = 0; k < count; k++)
				drop(&batch[k]);
			count = 0;
		}
	}
	printf("%s: %llu programs as native code (%llu with errors), %llu comparisons, %llu too large, %llu failures\n",
	       axiom_model_names[model], (unsigned long long)tally.programs, (unsigned long long)tally.errors,
	       (unsigned long long)tally.compared, (unsigned long long)tally.not_compared, (unsigned long long)tally.failures);
	return !tally.failures && tally.programs > s->programs / 10;
}

/* One too large if there is none of that name. */
static int number_of_model(const char *name)
{
	int n = 0;

	while (n < AXIOM_MODELS && strcmp(axiom_model_names[n], name))
		n++;
	return n;
}

static int number_of_family(const char *name)
{
	unsigned n = 0;

	while (n < family_count() && strcmp(family_name(n), name))
		n++;
	return (int)n;
}

static bool parse_options(int argc, char **argv, struct settings *s)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--programs"))
			s->programs = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--seed"))
			s->seed = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--model"))
			s->model = number_of_model(argv[i + 1]);
		else if (!strcmp(argv[i], "--family"))
			s->family = number_of_family(argv[i + 1]);
		else if (strcmp(argv[i], "--with") && strcmp(argv[i], "--without"))
			return false;
		else if (!parse_set(argv[i + 1], argv[i][6] ? &s->without : &s->with))
			return false;
	}
	return argc % 2 && s->model < AXIOM_MODELS && s->family < (int)family_count();
}

int main(int argc, char **argv)
{
	struct settings s = { .model = -1, .family = -1, .programs = 200, .seed = 1 };
	bool good = true;

	if (!parse_options(argc, argv, &s)) {
		fprintf(stderr, "usage: judge_native [--model sc|tso|ra|rc11|rc11-c20] [--programs N] [--seed N] [--family NAME]\n"
			"                    [--with SET] [--without SET]\n");
		return 2;
	}
	for (int m = 0; m < AXIOM_MODELS; m++)
		if (s.model < 0 || s.model == m)
			good &= run(&s, (enum lp_model)m);
	return good ? 0 : 1;
}
