/* test_weak.c -- conditions for replicated objects against their definitions.
 *
 *     test_weak [--runs N] [--seed S] [--calls N] [--conditions "NAME NAME..."] [KIND...]
 *
 * For each kind and condition: the answer is that of brute force; the core of a violation is wrong, and what it leaves
 * out may be left out.  Only a causal memory in which values come again may be undecided.  A history on which they
 * differ is shrunk and printed, with its seed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../history/random_options.h"
#include "base/error.h"
#include "check/history/core.h"
#include "check/history/history_check.h"
#include "naive_weak.h"
#include "random_weak.h"

struct outcome {
	uint32_t right, wrong, undecided;
};

/* Some calls of a history; open ones are pending. */
static struct lp_history part_of(const struct lp_history *h)
{
	struct lp_history part = *h;

	part.at = lp_alloc(sizeof *part.at * (h->count + 1));
	part.count = 0;
	return part;
}

static bool has_key(const struct lp_history *h, int64_t key)
{
	for (uint32_t i = 0; i < h->count; i++)
		if (h->at[i].args && h->at[i].arg[0] == key)
			return true;
	return false;
}

/* Is the part right?  A read of everything is about the keys that are in the part, and those that no call names. */
static bool part_is_right(struct lp_history *part, const struct lp_history *h, const struct lp_spec *spec,
			  const struct lp_weak *weak)
{
	const uint32_t width = strcmp(spec->kind->name, "map") ? 1 : 2;

	part->values.at = NULL;
	part->values.count = part->values.room = 0;
	for (uint32_t i = 0; i < part->count; i++) {
		struct lp_call *c = &part->at[i];
		const char *name = h->methods.at[c->method];
		const int64_t *results = lp_call_results(h, c);
		const bool all = !strcmp(name, "entries") || (!strcmp(name, "read") && spec->kind->by_key);
		if (!all || !results)
			continue;
		const uint32_t first = part->values.count;
		for (uint32_t j = 0; j < c->results; j += width)
			for (uint32_t k = 0; k < width && (has_key(part, results[j]) || !has_key(h, results[j])); k++)
				LP_PUSH(&part->values, results[j + k]);
		c->results = part->values.count - first;
		c->result = c->results == 1 ? part->values.at[first] : first;
	}
	const bool right = naive_weak_is_right(part, spec, weak);
	lp_free(part->values.at);
	return right;
}

static const char *bad_core(const struct lp_history *h, const struct lp_spec *spec, const struct lp_weak *weak,
			    const struct lp_check_result *r)
{
	struct lp_history part = part_of(h);

	for (uint32_t i = 0; i < r->core_count; i++)
		part.at[part.count++] = h->at[r->core[i]];
	const bool right = !part.count || part_is_right(&part, h, spec, weak);
	lp_free(part.at);
	return right ? "the core is not wrong" : NULL;
}

/* Leaving out a unit keeps correct histories correct. */
static const char *bad_unit(const struct lp_history *h, const struct lp_spec *spec, const struct lp_weak *weak)
{
	struct lp_problem p;
	struct lp_error error;
	const char *what = NULL;
	uint32_t unit[64];

	if (!lp_problem_open(&p, h, spec, &error))
		return "does not bind";
	for (int looks = 0; looks < 2; looks++) {
		const uint32_t units = lp_core_units(&p, looks, weak, unit);
		for (uint32_t u = 0; u < units && !what; u++) {
			struct lp_history part = part_of(h);
			for (uint32_t i = 0; i < h->count; i++)
				if (unit[i] != u)
					part.at[part.count++] = h->at[i];
			if (!part_is_right(&part, h, spec, weak))
				what = "leaving out a unit makes it wrong";
			lp_free(part.at);
		}
	}
	lp_problem_close(&p);
	return what;
}

/* What is wrong with the answer for this history; NULL if nothing. */
static const char *disagreement(const struct lp_history *h, const struct lp_spec *spec, const struct lp_weak *weak,
				bool units, struct outcome *o)
{
	const struct lp_check_options options = { .property = LP_WEAK, .weak = weak, .explain = true,
						  .explain_seconds = 60 };
	const bool right = naive_weak_is_right(h, spec, weak);
	struct lp_check_result r;
	struct lp_error error = { 0 };
	const char *what = NULL;

	if (!lp_history_check(h, spec, &options, &r, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return "it is not checked";
	}
	if (r.finding == LP_UNDECIDED && !(weak->agreement == LP_EACH_LINE && !weak->apart && !right))
		what = "it is undecided";
	else if (r.finding == LP_WRONG && right)
		what = "a right history is rejected";
	else if (r.finding == LP_CORRECT && !right)
		what = "a wrong history is accepted";
	else if (r.finding == LP_WRONG)
		what = bad_core(h, spec, weak, &r);
	else if (right && units)
		what = bad_unit(h, spec, weak);
	if (o)
		++*(r.finding == LP_UNDECIDED ? &o->undecided : right ? &o->right : &o->wrong);
	lp_check_result_close(&r);
	return what;
}

static void shrink(struct lp_history *h, const struct lp_spec *spec, const struct lp_weak *weak)
{
	for (uint32_t i = 0; i < h->count;) {
		const struct lp_call gone = h->at[i];
		memmove(h->at + i, h->at + i + 1, sizeof *h->at * (--h->count - i));
		if (disagreement(h, spec, weak, true, NULL)) {
			i = 0;
			continue;
		}
		memmove(h->at + i + 1, h->at + i, sizeof *h->at * (h->count++ - i));
		h->at[i++] = gone;
	}
}

static bool run(const char *kind, const char *condition, uint32_t runs, uint64_t seed, uint32_t calls)
{
	struct outcome o = { 0 };
	struct lp_spec spec;
	struct lp_weak weak;
	struct lp_error error;
	bool good = true;

	if (!lp_spec_parse(&spec, kind, &error) || !lp_weak_parse(&weak, condition, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	for (uint32_t i = 0; i < runs && good; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		random_weak(&h, &spec, calls - below(&r, calls < 3 ? calls : 3), &r);
		const char *what = disagreement(&h, &spec, &weak, i % 8 == 0, &o);
		if (what) {
			good = false;
			fprintf(stderr, "%s, %s, seed %llu: %s\n", kind, condition, (unsigned long long)(seed + i), what);
			shrink(&h, &spec, &weak);
			lp_history_print_table(&h, stderr);
		}
		lp_history_close(&h);
	}
	printf("%-16s %-20s %u right, %u wrong, %u undecided\n", kind, condition, o.right, o.wrong, o.undecided);
	return good;
}

int main(int argc, char **argv)
{
	static const char *const kinds[] = { "register", "map", "set", "counter", "register:init=nil", "counter:k=3" };
	const char *names = "causal causal-memory causal-convergence pram session read-your-writes monotonic-reads "
			    "monotonic-writes writes-follow-reads session:ryw,mr session:mr,mw session:mr,wfr session:ryw,wfr eventual eventual:5";
	struct random_options o = { .runs = 2000, .calls = 5, .seed = 1 };
	bool good = true;
	int at = 1;

	for (; at + 1 < argc && argv[at][0] == '-'; at += 2)
		if (!takes_random_option(argv, at, &o) && !strcmp(argv[at], "--conditions"))
			names = argv[at + 1];
	if (o.calls > NAIVE_WEAK_MOST)
		o.calls = NAIVE_WEAK_MOST;
	printf("seed %llu, %u histories of up to %u calls each\n", (unsigned long long)o.seed, o.runs, o.calls);
	char *list = lp_strdup(names);
	const size_t kind_count = at == argc ? sizeof kinds / sizeof *kinds : (size_t)(argc - at);
	for (char *save, *name = strtok_r(list, " ", &save); name; name = strtok_r(NULL, " ", &save))
		for (size_t i = 0; i < kind_count; i++)
			good &= run(at == argc ? kinds[i] : argv[at + (int)i], name, o.runs, o.seed, o.calls);
	lp_free(list);
	return !good;
}
