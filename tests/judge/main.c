/* main.c -- the judge: do reductions of the explorer cover what they leave out?
 *
 *     judge --model rc11 --programs 1000 --seed 1        random programs, with several sets of reductions
 *     judge --reductions spin,helping ...                with this set only
 *     judge --with SET --without SET ...                 every set with the one, and without the other
 *     judge --family queue,stack ...                     of these families (families.def)
 *     judge --seconds 60 ...                             as many as that allows (of processor time, per model)
 *     judge --model sc --bounds ...                      within bounds on schedules: a few preemptions, delays or rounds
 *     judge --unroll ...                                 within bounds on loops: they go round a few times
 *     judge --races-ignored ...                          plain accesses are events (sc and tso)
 *     judge --jobs 3 ...                                 explorations with reductions by three processes each
 *     judge --ranks 3 ...                                by three machines each
 *     judge --patient ...                                larger programs, too
 *     judge --file PROGRAM                               one program, with every set
 *     judge --regress FOLDER [--model M]                 all programs of a folder; those in its known.txt
 *                                                        are expected to fail
 *     judge --list                                       the families and the reductions
 *
 * A failing program is printed with its seed, shrunk, and so is the set of reductions.
 * Exit status: 0 all agree, 1 some do not, or too little was compared, 2 usage.
 */
#include "generate.h"
#include "generate_judged.h"
#include "judge.h"
#include "models.h"
#include "regress.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RANDOM_SETS = 2, NAIVE_EVERY = 4, SAMPLE_EVERY = 3, FAMILIES = 64 };

struct settings {
	int model; /* < 0: all */
	uint64_t programs, seed; /* programs 0: 1000, or as many as time allows */
	double seconds; /* 0: no limit */
	unsigned family[FAMILIES], families; /* none: any */
	bool bounds, unroll, one_set, verbose, keep_going, list, races_ignored, patient;
	unsigned set, with, without;
	const char *file, *regress;
	uint32_t jobs, ranks;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- failures ---- */

struct failing {
	struct judge_options options;
	unsigned set;
};

static bool still_fails(void *closure, const char *text)
{
	const struct failing *f = closure;
	struct judge_tally ignored = { 0 };
	unsigned failed;

	return judge(text, &f->options, &ignored, &failed) == JUDGED_WRONG && failed == f->set;
}

/* Leaves out of the set what the failure does not need. */
static void shrink_set(struct failing *f, const char *text)
{
	for (unsigned i = 0; i < LP_REDUCTIONS; i++) {
		const unsigned all = f->set;

		f->set = sensible_set(all & ~(1u << i));
		if (f->set == all || !still_fails(f, text))
			f->set = all;
	}
}

static void report(const char *text, const struct judge_options *options, unsigned family, uint64_t seed, unsigned set)
{
	struct failing f = { .options = { .model = options->model, .count = 1, .naive = !set,
					  .races_ignored = options->races_ignored, .patient = options->patient, .jobs = options->jobs,
					  .ranks = options->ranks, .bound = options->bound },
			     .set = set };
	struct judge_tally ignored = { 0 };
	char name[100];

	f.options.sets = &f.set;
	if (set)
		shrink_set(&f, text);
	char *small = shrink_script(text, still_fails, &f);
	if (f.set)
		shrink_set(&f, small);
	print_set(name, sizeof name, f.set);
	static const char *const bounds[] = { "", ", preemptions", ", delays", ", rounds after the first", ", loops" };
	printf("# %s, seed %llu, model %s%s: %u: wrong with %s\n%s", family_name(family), (unsigned long long)seed,
	       axiom_model_names[options->model], bounds[options->bound.by], options->bound.most, name, small);
	f.options.loud = true;
	judge(small, &f.options, &ignored, &set);
	fflush(stdout);
	free(small);
}

/* ---- random programs ---- */

static void add(struct judge_tally *to, const struct judge_tally *t)
{
	to->programs += t->programs;
	to->too_large += t->too_large;
	to->ill_formed += t->ill_formed;
	to->executions += t->executions;
	to->observations += t->observations;
	to->errors += t->errors;
	to->undefined += t->undefined;
	to->explorations += t->explorations;
	to->restarts += t->restarts;
	to->naive += t->naive;
	to->forever += t->forever;
	to->unknown += t->unknown;
	to->sampled += t->sampled;
	for (unsigned i = 0; i < LP_REDUCTIONS; i++)
		to->applied[i] += t->applied[i];
}

static void print_applied(const char *name, const struct judge_tally *t)
{
	printf("%-13s %6llu programs, %5llu wrong, %5llu undefined, %5llu too large; applied, of %llu:", name,
	       (unsigned long long)t->programs, (unsigned long long)t->errors, (unsigned long long)t->undefined,
	       (unsigned long long)t->too_large, (unsigned long long)t->sampled);
	for (unsigned i = 0; i < LP_REDUCTIONS; i++)
		if (t->applied[i])
			printf(" %s %llu", reduction_name(i), (unsigned long long)t->applied[i]);
	putchar('\n');
}

/* Too few programs were compared, of some family none, or a reduction was never put to the test. */
static bool is_idle(const struct settings *s, uint64_t tried, const struct judge_tally *all,
		    const struct judge_tally *by_family)
{
	bool idle = all->too_large > all->programs / 2 || all->undefined * 5 > all->programs * 4;

	if (s->families || tried < 2000 || s->bounds || s->unroll)
		return (s->bounds || s->unroll) && idle;
	for (unsigned f = 0; f < family_count(); f++)
		if (!by_family[f].programs) {
			printf("none judged of family %s\n", family_name(f));
			idle = true;
		}
	for (unsigned i = 0; i < LP_REDUCTIONS; i++)
		if (!all->applied[i] && !(s->without >> i & 1)) {
			printf("%s never applied\n", reduction_name(i));
			idle = true;
		}
	return idle;
}

/* The sets for the program of that seed. */
static unsigned choose_sets(const struct settings *s, uint64_t seed, unsigned *sets)
{
	unsigned count = 0;

	if (s->one_set) {
		sets[0] = sensible_set((s->set | s->with) & ~s->without);
		return 1;
	}
	sets[count++] = USE_spin;
	sets[count++] = USE_ALL & ~(unsigned)(USE_silent_rmw | USE_rereads);
	sets[count++] = USE_ALL;
	for (unsigned i = 0; i < RANDOM_SETS; i++) {
		const uint64_t bits = lp_mix(seed * RANDOM_SETS + i + 77) >> 11;
		sets[count++] = (unsigned)(bits & USE_ALL) | (bits >> 20 & 3 ? USE_spin : 0);
	}
	for (unsigned i = 0; i < count; i++)
		sets[i] = sensible_set((sets[i] | s->with) & ~s->without);
	return count;
}

static struct judge_bound choose_bound(const struct settings *s, uint64_t seed)
{
	const uint32_t by = (uint32_t)(lp_mix(seed + 2) % 3), most = (uint32_t)lp_mix(seed + 3);

	if (s->unroll)
		return (struct judge_bound){ JUDGE_LOOPS, most % 3 };
	return s->bounds ? (struct judge_bound){ JUDGE_PREEMPTIONS + by, most % 4 } : (struct judge_bound){ JUDGE_ALL_SCHEDULES, 0 };
}

static unsigned choose_family(const struct settings *s, uint64_t seed)
{
	return s->families ? s->family[lp_mix(seed + 5) % s->families] : family_of(seed);
}

static unsigned run_random(const struct settings *s, enum lp_model model)
{
	static struct judge_tally by_family[FAMILIES];
	struct judge_tally all = { 0 };
	unsigned failures = 0, failed;
	const double begun = now();
	uint64_t tried;

	memset(by_family, 0, sizeof by_family);
	for (tried = 0; tried < s->programs && (!failures || s->keep_going) &&
	     (s->seconds <= 0 || now() - begun < s->seconds); tried++) {
		const uint64_t seed = s->seed + tried;
		const unsigned family = choose_family(s, seed);
		unsigned sets[3 + RANDOM_SETS];
		const struct judge_options options = {
			.model = model, .sets = sets, .count = choose_sets(s, seed, sets),
			.naive = lp_mix(seed) % NAIVE_EVERY == 0, .sample = lp_mix(seed + 1) % SAMPLE_EVERY == 0,
			.races_ignored = s->races_ignored, .patient = s->patient, .jobs = s->jobs, .ranks = s->ranks,
			.bound = choose_bound(s, seed),
		};
		char *text = generate_judged(seed, family);

		if (model == LP_MODEL_RC11_C20)
			text = generate_again(text, seed);
		if (s->verbose)
			printf("# seed %llu\n%s", (unsigned long long)seed, text), fflush(stdout);
		if (judge(text, &options, &by_family[family], &failed) == JUDGED_WRONG) {
			report(text, &options, family, seed, failed);
			failures++;
		}
		free(text);
	}
	const double seconds = now() - begun;
	for (unsigned f = 0; f < family_count(); f++) {
		add(&all, &by_family[f]);
		if (by_family[f].programs || by_family[f].too_large)
			print_applied(family_name(f), &by_family[f]);
	}
	printf("%s: %llu programs (%.0f a second), %llu executions, %llu observations, %llu explorations, %llu restarts; "
	       "%llu wrong (%llu undefined); %llu too large, %llu ill-formed; %llu enumerated naively, %llu for threads that spin forever (%llu of them without progress); %u failures\n",
	       axiom_model_names[model], (unsigned long long)all.programs, (double)tried / seconds,
	       (unsigned long long)all.executions, (unsigned long long)all.observations,
	       (unsigned long long)all.explorations, (unsigned long long)all.restarts, (unsigned long long)all.errors,
	       (unsigned long long)all.undefined, (unsigned long long)all.too_large,
	       (unsigned long long)all.ill_formed, (unsigned long long)all.naive,
	       (unsigned long long)all.forever, (unsigned long long)all.unknown, failures);
	return failures + is_idle(s, tried, &all, by_family);
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

/* One name or several, with commas in between. */
static bool parse_families(const char *names, struct settings *s)
{
	while (*names) {
		const size_t length = strcspn(names, ",");
		unsigned i = 0;

		while (i < family_count() &&
		       (strlen(family_name(i)) != length || strncmp(family_name(i), names, length)))
			i++;
		if (i == family_count() || s->families == FAMILIES)
			return false;
		s->family[s->families++] = i;
		names += length + (names[length] == ',');
	}
	return true;
}

static void list(void)
{
	printf("families:");
	for (unsigned i = 0; i < family_count(); i++)
		printf(" %s", family_name(i));
	printf("\nreductions:");
	for (unsigned i = 0; i < LP_REDUCTIONS; i++)
		printf(" %s", reduction_name(i));
	putchar('\n');
}

static bool parse_options(int argc, char **argv, struct settings *s)
{
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;

		if (!strcmp(argv[i], "--verbose"))
			s->verbose = true;
		else if (!strcmp(argv[i], "--keep-going"))
			s->keep_going = true;
		else if (!strcmp(argv[i], "--races-ignored"))
			s->races_ignored = true;
		else if (!strcmp(argv[i], "--bounds"))
			s->bounds = true;
		else if (!strcmp(argv[i], "--unroll"))
			s->unroll = true;
		else if (!strcmp(argv[i], "--patient"))
			s->patient = true;
		else if (!strcmp(argv[i], "--list"))
			s->list = true;
		else if (!value)
			return false;
		else if (!strcmp(argv[i], "--reductions") && parse_set(value, &s->set))
			s->one_set = ++i;
		else if (!strcmp(argv[i], "--with") && parse_set(value, &s->with))
			i++;
		else if (!strcmp(argv[i], "--without") && parse_set(value, &s->without))
			i++;
		else if (!strcmp(argv[i], "--model") && parse_model(value, &s->model))
			i++;
		else if (!strcmp(argv[i], "--family") && parse_families(value, s))
			i++;
		else if (!strcmp(argv[i], "--programs"))
			s->programs = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--seconds"))
			s->seconds = strtod(argv[++i], NULL);
		else if (!strcmp(argv[i], "--seed"))
			s->seed = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--jobs"))
			s->jobs = (uint32_t)atoi(argv[++i]);
		else if (!strcmp(argv[i], "--ranks"))
			s->ranks = (uint32_t)atoi(argv[++i]);
		else if (!strcmp(argv[i], "--file"))
			s->file = argv[++i];
		else if (!strcmp(argv[i], "--regress"))
			s->regress = argv[++i];
		else
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct settings s = { .model = -1, .seed = 1 };
	unsigned failures = 0;

	if (!parse_options(argc, argv, &s)) {
		fprintf(stderr,
			"usage: judge [--model sc|tso|ra|rc11|rc11-c20|all] [--programs N] [--seed N] [--seconds N] [--family LIST]\n"
			"             [--reductions SET] [--with SET] [--without SET] [--keep-going] [--verbose]\n"
			"             [--bounds | --unroll] [--races-ignored] [--patient]\n"
			"             | --file PROGRAM | --regress FOLDER [--model M] | --list\n"
			"SET is a list like spin,helping, or all, or none\n");
		return 2;
	}
	if (!s.programs)
		s.programs = s.seconds > 0 ? UINT64_MAX : 1000;
	if (s.list) {
		list();
		return 0;
	}
	if (s.regress)
		return regress_folder(s.regress, s.model) ? 1 : 0;
	for (int m = 0; m < AXIOM_MODELS; m++) {
		if ((s.model >= 0 && s.model != m) || (s.bounds && m != LP_MODEL_SC) || (s.races_ignored && m != LP_MODEL_SC && m != LP_MODEL_TSO))
			continue;
		failures += s.file ? !regress_file(s.file, (enum lp_model)m, s.one_set ? &s.set : NULL, true)
				   : run_random(&s, (enum lp_model)m);
	}
	return failures != 0;
}
