/* test_ak.c -- A_k on counters against its definition, on random histories.
 *
 *     test_ak [--runs N] [--seed S] [--calls N] [SPEC... | long]
 *
 * For k = 0 .. 4 and 8, on each history:
 *   - lp_ak_weaken() orders exactly the pairs that the definition orders;
 *   - what the monitor reports, at the return at which it does, has no linearization
 *     when weakened by definition, let alone as it is;
 *   - for queues by the rules, for queues and stacks by a complete look, it also
 *     reports whatever the definition forbids, at the same return;
 *   - what is found with k is found with k + 1, no later;
 *   - with k no less than the history's length that is all there is to find: what has
 *     no linearization at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../history/brute.h"
#include "../history/random_history.h"
#include "../history/random_options.h"
#include "ak_naive.h"
#include "base/error.h"
#include "check/counting/ak.h"
#include "disorder.h"

enum { MOST_K = 4 };

static uint32_t by_rules[MOST_K + 2], by_definition[MOST_K + 2], missed[MOST_K + 2], wrong;

static bool is_kind(const struct lp_spec *spec, const char *name)
{
	return !strcmp(spec->kind->name, name);
}

/* Rules are all there is to say about these. */
static bool is_exact(const struct lp_history *h, const struct lp_spec *spec)
{
	bool exact = (is_kind(spec, "queue") || is_kind(spec, "stack")) && !spec->param[0] &&
		     !spec->param[1];

	for (uint32_t i = 0; i < h->count && exact; i++) {
		const char *name = h->methods.at[h->at[i].method];
		const uint32_t m = lp_method_named(spec->kind, name, strlen(name));
		exact = spec->kind->methods[m].roles & (LP_INSERTS | LP_REMOVES);
	}
	return exact;
}

static const char *order_differs(const struct lp_history *h, unsigned k)
{
	struct lp_history weak = *h;
	const char *what = NULL;

	weak.at = lp_alloc(sizeof *weak.at * (h->count + 1));
	memcpy(weak.at, h->at, sizeof *weak.at * h->count);
	lp_ak_weaken(&weak, k);
	for (uint32_t a = 0; a < h->count; a++)
		for (uint32_t b = 0; b < h->count; b++)
			if ((weak.at[a].end < weak.at[b].start) != naive_before(h, k, a, b))
				what = "lp_ak_weaken() orders other pairs";
	lp_free(weak.at);
	return what;
}

/* The call at whose return something is found; UINT32_MAX if nothing is. */
static uint32_t found_at(const struct lp_history *h, const struct lp_spec *spec, unsigned k,
			 enum lp_ak_mode mode, bool *suitable)
{
	const struct lp_ak_options options = { .k = k, .mode = mode };
	struct lp_ak_result r;
	struct lp_error error = { 0 };

	if (!lp_ak_check(h, spec, &options, &r, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	*suitable = r.violated || !r.reason[0];
	return r.violated ? r.call : UINT32_MAX;
}

static const char *is_unsound(const struct lp_history *h, const struct lp_spec *spec, unsigned k,
			      uint32_t at)
{
	struct lp_history part;

	if (at == UINT32_MAX)
		return NULL;
	naive_prefix(&part, h, at);
	const bool bad = naive_violates(&part, spec, k);
	lp_free(part.at);
	return bad ? NULL : "reports what A_k allows";
}

/* Is `a` no later than `b`?  Calls are numbered by start, not by end. */
static bool no_later(const struct lp_history *h, uint32_t a, uint32_t b)
{
	if (b == UINT32_MAX || a == b)
		return true;
	return a != UINT32_MAX &&
	       (h->at[a].end < h->at[b].end || (h->at[a].end == h->at[b].end && a < b));
}

static const char *disagreement(const struct lp_history *h, const struct lp_spec *spec)
{
	const bool exact = is_exact(h, spec);
	uint32_t last_rules = UINT32_MAX, last_complete = UINT32_MAX, last_naive = UINT32_MAX;
	bool suitable, suitable_complete;
	const char *what = NULL;

	for (unsigned step = 0; step <= MOST_K + 1 && !what; step++) {
		const unsigned k = step <= MOST_K ? step : LP_AK_MOST_COMPLETE;
		const uint32_t rules = found_at(h, spec, k, LP_AK_RULES, &suitable);
		const uint32_t complete = found_at(h, spec, k, LP_AK_COMPLETE, &suitable_complete);
		what = order_differs(h, k);
		if (!what)
			what = is_unsound(h, spec, k, rules);
		if (!what)
			what = is_unsound(h, spec, k, complete);
		if (!what && suitable && exact) {
			const uint32_t naive = naive_first(h, spec, k);
			if (is_kind(spec, "queue") && naive != rules)
				what = "the rules miss something";
			if (naive != complete)
				what = "the complete look misses something";
			if (!no_later(h, naive, last_naive))
				what = "the definition is not monotone in k";
			/* No history of so few calls is longer than that: A_k is the history. */
			if (step > MOST_K && h->count <= k + 1 &&
			    (naive != UINT32_MAX) == brute_is_right(h, spec, LP_LINEARIZABLE))
				what = "with a large k it is not linearizability";
			last_naive = naive;
			by_definition[step] += naive != UINT32_MAX;
			missed[step] += naive != rules; /* or found later */
		}
		if (!what && (!no_later(h, rules, last_rules) || !no_later(h, complete, last_complete)))
			what = "not monotone in k";
		by_rules[step] += rules != UINT32_MAX;
		last_rules = rules;
		last_complete = complete;
	}
	return what;
}

static void shrink(struct lp_history *h, const struct lp_spec *spec)
{
	for (uint32_t i = 0; i < h->count;) {
		const struct lp_call gone = h->at[i];
		memmove(h->at + i, h->at + i + 1, sizeof *h->at * (--h->count - i));
		if (disagreement(h, spec)) {
			i = 0;
			continue;
		}
		memmove(h->at + i + 1, h->at + i, sizeof *h->at * (h->count++ - i));
		h->at[i++] = gone;
	}
}

static bool run(const char *text, uint32_t runs, uint64_t seed, uint32_t max_calls)
{
	struct lp_spec spec;
	struct lp_error error;
	bool good = true;

	memset(by_rules, 0, sizeof by_rules);
	memset(by_definition, 0, sizeof by_definition);
	memset(missed, 0, sizeof missed);
	wrong = 0;
	if (!lp_spec_parse(&spec, text, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	for (uint32_t i = 0; i < runs && good; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		const struct shape_of_history shape = {
			.calls = 1 + below(&r, max_calls),
			.threads = 1 + below(&r, 4),
			.pending_in_16 = below(&r, 3) ? 0 : 3,
			.distinct_in_16 = 15,
			.few_methods = below(&r, 8) < 7 ? 1 : 0,
		};
		if (i % 2 && !strchr(text, ':'))
			disorder(&h, &spec, shape.calls, &r);
		else
			random_history(&h, &spec, &shape, &r);
		/* A result that is unknown is to a monitor a call that has not returned;
		 * a look at what is in front is to it no event but when there is nothing. */
		for (uint32_t c = 0; c < h.count; c++)
			if (h.at[c].results == LP_RESULT_UNKNOWN ||
			    (shape.few_methods != 1 && below(&r, 8) == 0)) {
				h.at[c].results = LP_RESULT_UNKNOWN;
				h.at[c].end = LP_PENDING;
			}
		const char *what = disagreement(&h, &spec);
		wrong += naive_first(&h, &spec, 64) != UINT32_MAX;
		if (what) {
			good = false;
			fprintf(stderr, "%s, seed %llu: %s\n", text, (unsigned long long)(seed + i),
				what);
			shrink(&h, &spec);
			fprintf(stderr, "%s\n", disagreement(&h, &spec));
			lp_history_print_table(&h, stderr);
		}
		lp_history_close(&h);
	}
	printf("%-16s %u histories, %u wrong; found with k = 0 .. %d, 8 by the rules (by definition):",
	       text, runs, wrong, MOST_K);
	for (unsigned step = 0; step <= MOST_K + 1; step++)
		printf(" %u (%u)", by_rules[step], by_definition[step]);
	printf("; missed by the rules, or later:");
	for (unsigned step = 0; step <= MOST_K + 1; step++)
		printf(" %u", missed[step]);
	printf("\n");
	return good;
}

/* Up to 60 calls, so that A_64 is the history: for queues, the same answer as the exact
 * checker's; for all others and for smaller k, never more than that. */
static bool run_long(const char *text, uint32_t runs, uint64_t seed)
{
	uint32_t found = 0, bad = 0;
	struct lp_spec spec;
	struct lp_error error;

	lp_spec_parse(&spec, text, &error);
	for (uint32_t i = 0; i < runs; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		const struct shape_of_history shape = { .calls = 20 + below(&r, 40),
							.threads = 2 + below(&r, 8),
							.pending_in_16 = below(&r, 2),
							.distinct_in_16 = 15, .few_methods = 1 };
		const struct lp_check_options exact = { .property = LP_LINEARIZABLE };
		const unsigned k = below(&r, 3) ? 64 : below(&r, 6);
		struct lp_history h = { 0 };
		struct lp_check_result right;
		bool suitable;

		random_history(&h, &spec, &shape, &r);
		for (uint32_t c = 0; c < h.count; c++)
			if (h.at[c].results == LP_RESULT_UNKNOWN)
				h.at[c].end = LP_PENDING;
		const bool rules = found_at(&h, &spec, k, LP_AK_RULES, &suitable) != UINT32_MAX;
		const bool wrong_history = lp_history_check(&h, &spec, &exact, &right, &error) &&
					   right.finding == LP_WRONG;
		lp_check_result_close(&right);
		found += rules;
		bad += wrong_history;
		if ((rules && !wrong_history) ||
		    (!rules && wrong_history && suitable && k == 64 && is_kind(&spec, "queue") &&
		     is_exact(&h, &spec))) {
			fprintf(stderr, "%s, long, seed %llu, k = %u: %s\n", text,
				(unsigned long long)(seed + i), k,
				rules ? "reports a right history" : "misses a wrong one");
			lp_history_print_table(&h, stderr);
			lp_history_close(&h);
			return false;
		}
		lp_history_close(&h);
	}
	printf("%-16s %u long histories, %u wrong, %u found\n", text, runs, bad, found);
	return true;
}

int main(int argc, char **argv)
{
	static const char *const all[] = { "queue", "stack", "deque", "priority_queue",
					   "multiset", "queue:bounded=2", "queue:blocking" };
	struct random_options o = { .runs = 2000, .calls = 7, .seed = 1 };
	bool good = true;
	int at = 1;

	while (at + 1 < argc && takes_random_option(argv, at, &o))
		at += 2;
	if (at < argc && !strcmp(argv[at], "long")) {
		static const char *const kinds[] = { "queue", "stack", "deque", "priority_queue",
						     "multiset" };
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
			good &= run_long(kinds[i], o.runs, o.seed);
		return !good;
	}
	for (size_t i = 0; at == argc && i < sizeof all / sizeof *all; i++)
		good &= run(all[i], o.runs, o.seed, o.calls);
	for (; at < argc; at++)
		good &= run(argv[at], o.runs, o.seed, o.calls);
	return !good;
}
