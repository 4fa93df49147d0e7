/* test_brute.c -- the checkers against all permutations, on random histories.
 *
 *     test_brute [--runs N] [--seed S] [--calls N] [--search 1] [SPEC...]
 *
 * For each specification and each property: the answer of lp_history_check(), with
 * and without the near-linear checkers, is that of brute force; the core of a
 * violation is wrong and no longer than the history; the order that the search finds
 * is one that the definitions allow.  A history on which they differ is shrunk and
 * printed, with its seed.  In a quarter of them, equal times are ordered.  With --search, the search takes the place of brute force,
 * for histories of up to 60 calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "brute.h"
#include "check/history/core.h"
#include "check/history/history_check.h"
#include "check/history/precedence.h"
#include "check/history/search.h"
#include "random_history.h"
#include "random_options.h"
#include "../naive_excuse.h"

static const char *const all_specs[] = {
	"queue", "stack", "priority_queue", "priority_queue:max", "set", "multiset",
	"register", "register:init=nil", "map", "counter", "deque", "lock", "rwlock",
	"semaphore:init=1", "snzi", "mailbox", "snapshot:n=2", "queue:bounded=2",
	"stack:bounded=2", "queue:blocking", "register:k=3", "queue:synchronous",
	"queue:bounded=1,blocking", "priority_queue:bounded=2", "priority_queue:blocking",
	"multiset:blocking", "stack:blocking", "deque:bounded=2", "counter:k=3",
	"semaphore:init=0,bounded=2", "lock:anyone", "queue:bounded=2,weak", "stack:bounded=2,weak", "deque:bounded=2,weak",
	"queue:contended", "queue:failing", "lock:contended", "rwlock:writers",
};

static bool by_search;

struct outcome {
	uint32_t right, wrong, fast, lean, excused, differing;
};

/* The part of a history that a core names, open calls made pending. */
static void take_core(struct lp_history *part, const struct lp_history *h,
		      const struct lp_check_result *r)
{
	part->ties_are_ordered = h->ties_are_ordered;
	for (uint32_t i = 0; i < h->methods.count; i++)
		lp_history_method(part, h->methods.at[i], strlen(h->methods.at[i]));
	for (uint32_t i = 0; i < h->values.count; i++)
		LP_PUSH(&part->values, h->values.at[i]);
	for (uint32_t i = 0; i < r->core_count; i++) {
		struct lp_call c = h->at[r->core[i]];
		if (r->core_open[i]) {
			c.end = LP_PENDING;
			c.results = LP_RESULT_UNKNOWN;
		}
		LP_PUSH(part, c);
	}
}

static bool check(const struct lp_history *h, const struct lp_spec *spec,
		  const struct lp_check_options *options, struct lp_check_result *r)
{
	struct lp_error error = { 0 };

	if (!lp_history_check(h, spec, options, r, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	return r->finding == LP_CORRECT;
}

/* The closest attempt is a run of the core, and every other call of it that returned is
 * said to be stuck, for a reason that is true. */
static const char *bad_attempt(const struct lp_history *h, const struct lp_spec *spec,
			       enum lp_property property, const struct lp_check_result *r)
{
	uint64_t placed = 0, stuck = 0;
	const char *what = NULL;

	for (uint32_t i = 0; i < r->partial_count; i++)
		placed |= UINT64_C(1) << r->partial[i];
	for (uint32_t i = 0; i < r->stuck_count; i++) {
		const struct lp_stuck *why = &r->stuck[i];
		stuck |= UINT64_C(1) << why->call;
		if (why->why == LP_STUCK_LATER && (placed >> why->first & 1 ||
		    !brute_precedes(h, property, why->first, why->call)))
			what = "a call is said to come first that need not";
		for (uint32_t j = 0; j < h->count && why->why != LP_STUCK_LATER; j++)
			for (uint32_t k = 0; k < r->core_count; k++)
				if (r->core[k] == j && !r->core_open[k] && !(placed >> j & 1) &&
				    brute_precedes(h, property, j, why->call))
					what = "a call is rejected that has to wait for others";
		if (why->gives_known && h->at[why->call].results == 1 &&
		    h->at[why->call].result == why->gives)
			what = "a call is said to give what it gives";
	}
	for (uint32_t i = 0; i < r->core_count; i++)
		if (!r->core_open[i] && !lp_call_is_pending(&h->at[r->core[i]]) &&
		    (placed >> r->core[i] & 1) + (stuck >> r->core[i] & 1) != 1)
			what = "a call is neither placed nor stuck, or both";
	return lp_spec_has_meetings(spec) ? NULL : what; /* there, calls wait for company */
}

static const struct lp_method *method_of(const struct lp_history *h, const struct lp_spec *spec, uint32_t call)
{
	const char *name = h->methods.at[h->at[call].method];

	return &spec->kind->methods[lp_method_named(spec->kind, name, strlen(name))];
}

/* Could the call have put in what `taken` took out? */
static bool could_put(const struct lp_history *h, const struct lp_spec *spec, uint32_t call, uint32_t taken)
{
	const struct lp_method *m = method_of(h, spec, call);
	const struct lp_call *c = &h->at[call];

	return m->roles & LP_INSERTS && m->args == 1 && c->arg[0] == h->at[taken].result &&
	       !brute_precedes(h, LP_LINEARIZABLE, taken, call) && !(m->result == LP_SUCCESS && c->results == 1 && !c->result);
}

/* A value that is taken out was put in, in the core as in the history: else the core would blame another thing. */
static const char *bad_core(const struct lp_history *h, const struct lp_spec *spec, const struct lp_check_result *r)
{
	for (uint32_t i = 0; i < r->core_count; i++) {
		const uint32_t taken = r->core[i];
		const struct lp_method *m = method_of(h, spec, taken);
		bool in_history = false, in_core = false;
		if (r->core_open[i] || !(m->roles & LP_REMOVES) || m->args || h->at[taken].results != 1 ||
		    lp_call_is_pending(&h->at[taken]))
			continue;
		for (uint32_t k = 0; k < h->count; k++)
			in_history |= could_put(h, spec, k, taken);
		for (uint32_t k = 0; k < r->core_count; k++)
			in_core |= could_put(h, spec, r->core[k], taken);
		if (in_history && !in_core)
			return "the core has the removal of a value without its insertion";
	}
	return NULL;
}

/* The way for very many calls, which says nothing if it does not find it right. */
static const char *bad_lean(const struct lp_history *h, const struct lp_spec *spec,
			    const struct lp_check_options *options, bool expected, struct outcome *o)
{
	struct lp_history copy = *h;
	struct lp_check_result r;

	copy.at = lp_alloc(sizeof *copy.at * (h->count + 1));
	memcpy(copy.at, h->at, sizeof *copy.at * h->count);
	const bool right = lp_history_check_lean(&copy, spec, options, &r);
	lp_check_result_close(&r);
	lp_free(copy.at);
	if (o && right)
		o->lean++;
	return right && !expected ? "a wrong history is accepted in little memory" : NULL;
}

/* What is wrong with the answers for this history; NULL if nothing. */
static const char *disagreement(const struct lp_history *h, const struct lp_spec *spec,
				enum lp_property property, struct outcome *o)
{
	struct lp_check_options options = { .property = property, .explain = true,
					    .explain_seconds = 60 };
	struct lp_check_result r;
	const char *what = NULL;
	bool expected;

	if (by_search) {
		const struct lp_check_options search = { .property = property, .general = true };
		expected = check(h, spec, &search, &r);
		lp_check_result_close(&r);
	} else {
		expected = brute_is_right(h, spec, property);
	}
	if (check(h, spec, &options, &r) != expected)
		what = expected ? "a right history is rejected" : "a wrong history is accepted";
	if (o) {
		*(expected ? &o->right : &o->wrong) += 1;
		o->fast += r.method[0] && !strstr(r.method, "search");
		if (lp_spec_is_lenient(spec) && expected) {
			const struct lp_spec strict = naive_strict(spec);
			o->excused += !brute_is_right(h, &strict, property);
		}
	}
	if (!what && !expected) {
		struct lp_history part = { 0 };
		take_core(&part, h, &r);
		if (!r.core_count || (!by_search && brute_is_right(&part, spec, property)))
			what = "the core is not wrong";
		lp_history_close(&part);
		if (!what)
			what = bad_attempt(h, spec, property, &r);
		if (!what)
			what = bad_core(h, spec, &r);
	}
	lp_check_result_close(&r);
	if (!what)
		what = bad_lean(h, spec, &options, expected, o);
	options.general = true;
	options.explain = false;
	if (!what && check(h, spec, &options, &r) != expected)
		what = "the search is wrong";
	lp_check_result_close(&r);
	return what;
}

/* The search with the order as all its pairs, straight from the definition. */
static enum lp_finding with_pairs(const struct lp_problem *p, const struct lp_history *h,
				  enum lp_property property)
{
	uint32_t pairs[64 * 64][2], count = 0;
	struct lp_search_limits limits = { 0 };
	struct lp_precedence order;
	struct lp_history_search found;

	for (uint32_t a = 0; a < h->count; a++)
		for (uint32_t b = 0; b < h->count; b++)
			if (brute_precedes(h, property, a, b)) {
				pairs[count][0] = a;
				pairs[count++][1] = b;
			}
	lp_precedence_of(&order, h->count, pairs, count);
	const enum lp_finding finding = lp_search(p, &order, &limits, &found);
	lp_search_close(&found);
	lp_precedence_close(&order);
	return finding;
}

/* The order that the search finds, run again. */
static const char *bad_witness(const struct lp_history *h, const struct lp_spec *spec,
			       enum lp_property property)
{
	struct lp_problem p;
	struct lp_precedence order;
	struct lp_history_search found;
	struct lp_error error;
	struct lp_search_limits limits = { 0 };
	const char *what = NULL;

	if (!lp_problem_open(&p, h, spec, &error))
		return error.text[0] ? "does not bind" : NULL;
	lp_precedence_open(&order, &p, property);
	const enum lp_finding finding = lp_search(&p, &order, &limits, &found);
	if (finding != with_pairs(&p, h, property))
		what = "the same order given as pairs leads to another answer";
	if (finding == LP_CORRECT) {
		uint32_t place[64];
		for (uint32_t i = 0; i < h->count; i++)
			place[i] = UINT32_MAX;
		for (uint32_t i = 0; i < found.count; i++)
			place[found.order[i]] = i;
		for (uint32_t a = 0; a < h->count; a++) {
			if (place[a] == UINT32_MAX && !lp_call_is_pending(&h->at[a]))
				what = "a call is missing in the order found";
			for (uint32_t b = 0; b < h->count; b++)
				if (place[b] != UINT32_MAX && place[a] > place[b] &&
				    place[a] != UINT32_MAX && brute_precedes(h, property, a, b))
					what = "the order found is not allowed";
		}
	}
	lp_search_close(&found);
	lp_precedence_close(&order);
	lp_problem_close(&p);
	return what;
}

/* Leaving out a unit, as the search for a core does, keeps correct histories correct. */
static const char *bad_unit(const struct lp_history *h, const struct lp_spec *spec,
			    enum lp_property property)
{
	struct lp_problem p;
	struct lp_error error;
	const char *what = NULL;
	uint32_t unit[64];

	/* No core is looked for where other calls explain failures: they would be units with those. */
	if (property == LP_QUIESCENT || lp_spec_uses_overlap(spec) || !brute_is_right(h, spec, property) ||
	    !lp_problem_open(&p, h, spec, &error))
		return NULL;
	for (int looks = 0; looks < 2; looks++) {
		const uint32_t units = lp_core_units(&p, looks, NULL, unit);
		for (uint32_t u = 0; u < units && !what; u++) {
			struct lp_history part = *h;
			part.at = lp_alloc(sizeof *part.at * (h->count + 1));
			part.count = 0;
			for (uint32_t i = 0; i < h->count; i++)
				if (unit[i] != u)
					part.at[part.count++] = h->at[i];
			if (!brute_is_right(&part, spec, property))
				what = "leaving out a unit makes it wrong";
			lp_free(part.at);
		}
	}
	lp_problem_close(&p);
	return what;
}

static void shrink(struct lp_history *h, const struct lp_spec *spec, enum lp_property property)
{
	for (uint32_t i = 0; i < h->count;) {
		const struct lp_call gone = h->at[i];
		memmove(h->at + i, h->at + i + 1, sizeof *h->at * (--h->count - i));
		if (disagreement(h, spec, property, NULL)) {
			i = 0;
			continue;
		}
		memmove(h->at + i + 1, h->at + i, sizeof *h->at * (h->count++ - i));
		h->at[i++] = gone;
	}
}

static const char *const property_names[] = { "linearizable", "sequential", "quiescent",
						 "serializable" };

static bool run(const char *text, enum lp_property property, uint32_t runs, uint64_t seed,
		uint32_t max_calls)
{
	struct outcome o = { 0 };
	struct lp_spec spec;
	struct lp_error error;
	bool good = true;

	if (!lp_spec_parse(&spec, text, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	for (uint32_t i = 0; i < runs && !o.differing; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		/* Few calls that never return, or many: those meet what stays. */
		const uint32_t pending = below(&r, 4);
		const struct shape_of_history shape = {
			.calls = 1 + below(&r, max_calls),
			/* Keys are decided one by one: there may be many calls on one at a time. */
			.threads = 1 + below(&r, by_search && spec.kind->by_key ? 14 : pending == 1 ? 6 : 4),
			.pending_in_16 = pending > 1 ? 0 : max_calls > 20 ? 1 : pending ? 6 : 3,
			.distinct_in_16 = 13,
			.another_in_16 = max_calls > 20 ? 0 : 4, /* pending ones cost the search too much */
			.few_methods = below(&r, 8) < 6 ? 1 : below(&r, 4),
		};
		random_history(&h, &spec, &shape, &r);
		for (uint32_t k = h.count; k-- > 0 && lp_spec_is_lenient(&spec);)
			if (h.at[k].results == LP_RESULT_UNKNOWN && !lp_call_is_pending(&h.at[k])) /* refused */
				memmove(h.at + k, h.at + k + 1, sizeof *h.at * (--h.count - k));
		h.ties_are_ordered = property == LP_LINEARIZABLE && i % 4 == 3; /* --ties order */
		const char *what = disagreement(&h, &spec, property, &o);
		if (!what && i % 8 == 0)
			what = bad_witness(&h, &spec, property);
		if (!what && i % 8 == 1 && !by_search)
			what = bad_unit(&h, &spec, property);
		if (what) {
			o.differing++;
			fprintf(stderr, "%s, %s, seed %llu: %s\n", text, property_names[property],
				(unsigned long long)(seed + i), what);
			shrink(&h, &spec, property);
			lp_history_print_table(&h, stderr);
		}
		lp_history_close(&h);
	}
	printf("%-20s %-12s %u right, %u wrong, %u by the quick way, %u in little memory\n", text,
	       property_names[property], o.right, o.wrong, o.fast, o.lean);
	if (lp_spec_is_lenient(&spec)) {
		printf("%-20s %-12s %u right because failures are allowed\n", text, property_names[property], o.excused);
		return !o.differing && o.excused > 0;
	}
	/* That way takes no insertions of two arguments that give a result. */
	if (spec.kind->methods[0].roles & LP_INSERTS && spec.kind->methods[0].args == 2 && spec.kind->methods[0].result == LP_SUCCESS)
		return !o.differing;
	if (property == LP_LINEARIZABLE && !by_search && 2 * o.lean < o.right && !lp_spec_has_meetings(&spec) && !o.differing)
		good = !printf("hardly anything was found right in little memory\n");
	return !o.differing && good;
}

int main(int argc, char **argv)
{
	struct random_options o = { .runs = 20000, .calls = 7, .seed = 1 };
	bool good = true;
	int at = 1;

	for (; at + 1 < argc && argv[at][0] == '-'; at += 2)
		if (!takes_random_option(argv, at, &o) && !strcmp(argv[at], "--search"))
			by_search = true;
	printf("seed %llu, %u histories of up to %u calls each\n", (unsigned long long)o.seed, o.runs,
	       o.calls);
	const bool all = at == argc;
	const size_t count = all ? sizeof all_specs / sizeof *all_specs : (size_t)(argc - at);
	for (size_t i = 0; i < count; i++) {
		const char *text = all ? all_specs[i] : argv[at + (int)i];
		struct lp_spec spec;
		struct lp_error error;
		good &= run(text, LP_LINEARIZABLE, o.runs, o.seed, o.calls);
		if (by_search || (lp_spec_parse(&spec, text, &error) && lp_spec_uses_overlap(&spec)))
			continue;
		good &= run(text, LP_SEQUENTIAL, o.runs, o.seed, o.calls);
		good &= run(text, LP_QUIESCENT, o.runs, o.seed, o.calls);
		good &= run(text, LP_SERIALIZABLE, o.runs, o.seed, o.calls);
	}
	return !good;
}
