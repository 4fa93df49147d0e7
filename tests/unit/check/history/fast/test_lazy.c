/* test_lazy.c -- the search for removals (lazy.h), and that for deques (deque_run.h), against all permutations.
 *
 *     test_lazy [--runs N] [--seed S] [--calls N] [--search 1] [SPEC...]
 *
 * Random histories with everything that the quick methods do not support: values that come again, looks, unknown
 * results, pending calls, bounds.  Whatever it says is what brute force says; a history on which they differ
 * is made smaller and printed.  The search for deques is made to give up early, so that it has to do with some of the
 * values.  With --search, it is the general search that it is compared with, which gets further.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "../brute.h"
#include "check/history/fast/deque_run.h"
#include "check/history/fast/lazy.h"
#include "../random_history.h"
#include "../random_options.h"

static uint32_t decided, wrong;
static bool by_search;

static bool decide(const struct lp_problem *p, enum lp_finding *finding, struct lp_witness *witness)
{
	const struct lp_search_limits limits = { 0 };
	const uint32_t failures[] = { p->count % 3, p->count % 5 ? 100000 : 5 };
	const char *limit;
	uint64_t steps = 0;

	if (!strcmp(p->spec.kind->name, "deque"))
		return lp_fast_deque_within(p, failures, finding, witness);
	return lp_lazy_decide(p, &limits, finding, witness, &limit, &steps);
}

static bool lazy(const struct lp_history *h, const struct lp_spec *spec, enum lp_finding *finding)
{
	struct lp_error error = { 0 };
	struct lp_problem p;
	struct lp_witness witness = { 0 };

	if (!lp_problem_open(&p, h, spec, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	const bool applies = decide(&p, finding, &witness);
	lp_free(witness.at);
	lp_problem_close(&p);
	return applies;
}

/* By something else. */
static bool is_right(const struct lp_history *h, const struct lp_spec *spec)
{
	const struct lp_check_options options = { .property = LP_LINEARIZABLE, .general = true };
	struct lp_check_result result;
	struct lp_error error;

	if (!by_search)
		return brute_is_right(h, spec, LP_LINEARIZABLE);
	if (!lp_history_check(h, spec, &options, &result, &error))
		exit(1);
	const bool right = result.finding == LP_CORRECT;
	lp_check_result_close(&result);
	return right;
}

static bool differs(const struct lp_history *h, const struct lp_spec *spec)
{
	enum lp_finding finding;

	return lazy(h, spec, &finding) && is_right(h, spec) != (finding == LP_CORRECT);
}

static void shrink(struct lp_history *h, const struct lp_spec *spec)
{
	for (uint32_t i = 0; i < h->count;) {
		const struct lp_call gone = h->at[i];
		memmove(h->at + i, h->at + i + 1, sizeof *h->at * (--h->count - i));
		if (differs(h, spec)) {
			i = 0;
			continue;
		}
		memmove(h->at + i + 1, h->at + i, sizeof *h->at * (h->count++ - i));
		h->at[i++] = gone;
	}
}

/* All methods, or those that only insert, remove and look. */
static void random_one(struct lp_history *h, const struct lp_spec *spec, uint32_t calls,
		       struct random_source *r)
{
	const struct shape_of_history shape = { .calls = 1 + below(r, calls),
						.threads = 1 + below(r, 5),
						.pending_in_16 = below(r, 3) ? 0 : 3,
						.distinct_in_16 = strcmp(spec->kind->name, "deque") ? 6 : 15,
						.another_in_16 = 3,
						.few_methods = below(r, 4) };

	random_history(h, spec, &shape, r);
	for (uint32_t i = 0; i < h->count; i++)
		if (!below(r, 12) && h->at[i].results == 1)
			h->at[i].results = LP_RESULT_UNKNOWN;
}

static bool run(const char *text, uint32_t runs, uint64_t seed, uint32_t calls)
{
	struct lp_spec spec;
	struct lp_error error;
	bool good = true;

	decided = wrong = 0;
	if (!lp_spec_parse(&spec, text, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	for (uint32_t i = 0; i < runs && good; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		enum lp_finding finding;

		random_one(&h, &spec, calls, &r);
		if (lazy(&h, &spec, &finding)) {
			decided++;
			wrong += finding == LP_WRONG;
		}
		if (differs(&h, &spec)) {
			good = false;
			shrink(&h, &spec);
			lazy(&h, &spec, &finding);
			fprintf(stderr, "%s, seed %llu: said to be %s\n", text,
				(unsigned long long)(seed + i), finding == LP_WRONG ? "wrong" : "right");
			lp_history_print_table(&h, stderr);
		}
		lp_history_close(&h);
	}
	printf("%-26s %u histories, %u decided, %u wrong\n", text, runs, decided, wrong);
	return good;
}

int main(int argc, char **argv)
{
	static const char *const all[] = { "queue", "queue:blocking", "queue:bounded=2",
					   "queue:bounded=1,blocking", "stack", "stack:blocking",
					   "stack:bounded=2", "priority_queue", "priority_queue:max",
					   "priority_queue:bounded=2", "multiset", "multiset:blocking", "deque",
					   "deque:bounded=2", "deque:blocking" };
	struct random_options o = { .runs = 10000, .calls = 6, .seed = 1 };
	bool good = true;
	int at = 1;

	for (; at + 1 < argc && argv[at][0] == '-'; at += 2)
		if (!takes_random_option(argv, at, &o) && !strcmp(argv[at], "--search"))
			by_search = atoi(argv[at + 1]);
	for (size_t i = 0; at == argc && i < sizeof all / sizeof *all; i++)
		good &= run(all[i], o.runs, o.seed, o.calls);
	for (; at < argc; at++)
		good &= run(argv[at], o.runs, o.seed, o.calls);
	return !good;
}
