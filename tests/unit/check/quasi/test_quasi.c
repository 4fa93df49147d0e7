/* test_quasi.c -- quasi-linearizability against its definition.
 *
 *     test_quasi [--runs N] [--seed S] [--calls N]
 *
 * Brute force: every set of calls with all that returned, every order of it that the
 * history allows, calls that may follow, and every run (naive_quasi.h).  Then cases by hand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../history/brute.h"
#include "../history/random_history.h"
#include "base/error.h"
#include "check/history/history_check.h"
#include "naive_quasi.h"

enum { MOST = 8 };

struct naive {
	const struct lp_history *h;
	struct naive_quasi quasi;
	struct naive_values values;
};

static uint32_t method_of(const struct naive *n, uint32_t i)
{
	const char *name = n->h->methods.at[n->h->at[i].method];
	return lp_method_named(n->quasi.spec->kind, name, strlen(name));
}

static bool first_order(struct naive *n, uint32_t done);

static bool goes_on_with(struct naive *n, uint32_t done, struct naive_call c)
{
	n->quasi.call[n->quasi.count++] = c;
	const bool found = first_order(n, done);
	n->quasi.count--;
	return found;
}

/* The call comes next; if it has no result, with every one. */
static bool comes_next(struct naive *n, uint32_t done, uint32_t i)
{
	const struct lp_call *c = &n->h->at[i];
	const enum lp_shape shape = n->quasi.spec->kind->methods[method_of(n, i)].result;
	struct naive_call call = { .method = method_of(n, i), .thread = c->thread,
				   .results = c->results, .result = c->result };
	bool found = false;

	memcpy(call.arg, c->arg, sizeof call.arg);
	if (c->results != LP_RESULT_UNKNOWN) {
		call.values = c->results > 1 ? lp_call_results(n->h, c) : NULL;
		return goes_on_with(n, done, call);
	}
	call.results = shape != LP_NOTHING;
	if (shape == LP_NOTHING)
		return goes_on_with(n, done, call);
	for (uint32_t v = 0; v < n->values.count && !found; v++) {
		call.result = n->values.at[v];
		found = goes_on_with(n, done, call);
	}
	for (call.result = 0; call.result < 2 && !found; call.result++)
		found = goes_on_with(n, done, call);
	for (int failure = 0; failure < 2 && !found; failure++) {
		call.result = failure ? LP_EMPTY : LP_NIL;
		found = goes_on_with(n, done, call);
	}
	return found;
}

/* All orders that the history allows, of all that returned and some that did not. */
static bool first_order(struct naive *n, uint32_t done)
{
	bool complete = true;

	for (uint32_t i = 0; i < n->h->count; i++)
		complete &= (done >> i & 1) || lp_call_is_pending(&n->h->at[i]);
	if (complete && naive_quasi_fits(&n->quasi))
		return true;
	for (uint32_t i = 0; i < n->h->count; i++) {
		bool ready = !(done >> i & 1);
		for (uint32_t j = 0; j < n->h->count && ready; j++)
			ready = (done >> j & 1) || !brute_precedes(n->h, LP_LINEARIZABLE, j, i);
		if (ready && comes_next(n, done | 1u << i, i))
			return true;
	}
	return false;
}

static bool naive_is_right(const struct lp_history *h, const struct lp_spec *spec,
			   const struct lp_quasi *rule, uint32_t further)
{
	struct naive n = { .h = h, .quasi = { .spec = spec, .rule = rule, .further = further } };

	/* Of numbers there are more than occur; of others, some. */
	for (int64_t v = -3; v < 12 && spec->kind->data == LP_DATA_NONE; v++)
		naive_values_add(&n.values, v);
	naive_values_add(&n.values, 9);
	naive_values_add(&n.values, lp_spec_param(spec, "init") < 0 ? 0 : spec->param[lp_spec_param(spec, "init")]);
	for (uint32_t i = 0; i < h->count; i++) {
		for (uint32_t a = 0; a < h->at[i].args; a++)
			naive_values_add(&n.values, h->at[i].arg[a]);
		if (h->at[i].results == 1)
			naive_values_add(&n.values, h->at[i].result);
	}
	naive_quasi_fill_menu(&n.quasi, &n.values);
	return first_order(&n, 0);
}

static enum lp_finding check(const struct lp_history *h, const struct lp_spec *spec,
			     const struct lp_quasi *rule, bool general, uint32_t *core)
{
	const struct lp_check_options options = { .property = LP_QUASI, .quasi = rule,
						  .general = general, .explain = core != NULL,
						  .memory = (size_t)64 << 20 };
	struct lp_check_result r;
	struct lp_error error = { 0 };

	if (!lp_history_check(h, spec, &options, &r, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	const enum lp_finding finding = r.finding;
	if (core)
		*core = r.core_count;
	lp_check_result_close(&r);
	return finding;
}

static const struct {
	const char *spec, *rule;
} rules[] = {
	{ "queue", "dequeue=1" },
	{ "queue", "dequeue=2" },
	{ "queue", "enqueue=1,dequeue=0" },
	{ "queue", "enqueue=1,dequeue=1" },
	{ "queue", "enqueue+dequeue=1" },
	{ "queue", "*=0" },
	{ "queue", "*=2" },
	{ "queue", "dequeue=1,*=3" },
	{ "queue", "dequeue=any" },
	{ "queue:bounded=2", "dequeue=1" },
	{ "stack", "pop=1" },
	{ "stack", "push=1,pop=2,*=2" },
	{ "stack", "push=1,pop=1" },
	{ "stack", "push=any,pop=1" },
	{ "queue:blocking", "enqueue=1,dequeue=1" },
	{ "priority_queue:max", "insert=0,remove=1" },
	{ "priority_queue", "remove=1" },
	{ "priority_queue", "insert=1,remove=2" },
	{ "multiset", "take=1" },
	{ "counter", "fetch_increment=1" },
	{ "register", "read=1" },
	{ "register:init=7", "cas=1" },
	{ "register:init=7", "*=1" },
	{ "set", "insert=1" },
	{ "semaphore", "acquire=1" },
};

/* Results of the same method change places: out of order, as this is about. */
static void shuffle(struct lp_history *h, struct random_source *r)
{
	for (uint32_t i = below(r, 6); i; i--) {
		struct lp_call *a = &h->at[below(r, h->count)], *b = &h->at[below(r, h->count)];
		const int64_t swap = a->result;
		if (a->method != b->method || a->results > 1 || a->results != b->results)
			continue;
		a->result = b->result;
		b->result = swap;
	}
}

static bool random_ones(size_t which, uint32_t runs, uint64_t seed, uint32_t calls)
{
	struct lp_spec spec;
	struct lp_quasi rule;
	struct lp_error error;
	uint32_t right = 0, linearizable = 0;
	bool good = true;
	/* So many may have to follow; classes of all calls take long, and no limit takes many. */
	const uint32_t further = strchr(rules[which].rule, '*') ? 3 : 4;

	if (!lp_spec_parse(&spec, rules[which].spec, &error) ||
	    !lp_quasi_parse(&rule, rules[which].rule, &spec, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	for (uint32_t i = 0; i < runs && good; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		const struct shape_of_history shape = {
			.calls = 1 + below(&r, strstr(rules[which].rule, "any") ? 3 : calls), .threads = 1 + below(&r, 3),
			.pending_in_16 = below(&r, 3) ? 0 : 3, .distinct_in_16 = 13,
			.few_methods = below(&r, 8) < 6 ? 1 : below(&r, 4),
		};
		random_history(&h, &spec, &shape, &r);
		shuffle(&h, &r);
		const enum lp_finding expected = naive_is_right(&h, &spec, &rule, further) ? LP_CORRECT : LP_WRONG;
		const bool plain = brute_is_right(&h, &spec, LP_LINEARIZABLE);
		uint32_t core;
		if (check(&h, &spec, &rule, true, NULL) != expected ||
		    check(&h, &spec, &rule, false, &core) != expected ||
		    (expected == LP_WRONG && !core) ||
		    (plain && expected == LP_WRONG) ||
		    (!strcmp(rules[which].rule, "*=0") && plain != (expected == LP_CORRECT))) {
			fprintf(stderr, "%s, %s, seed %llu: it is %s\n", rules[which].spec,
				rules[which].rule, (unsigned long long)(seed + i),
				expected == LP_CORRECT ? "right" : "wrong");
			lp_history_print_table(&h, stderr);
			good = false;
		}
		right += expected == LP_CORRECT;
		linearizable += plain;
		lp_history_close(&h);
	}
	printf("%-18s %-24s %u of %u right, %u linearizable\n", rules[which].spec, rules[which].rule,
	       right, runs, linearizable);
	return good;
}

/* Longer histories of plain queues: the search for dequeues only, and the general one. */
static bool plain_queues(const char *text, uint32_t runs, uint64_t seed)
{
	struct lp_spec spec;
	struct lp_quasi rule;
	struct lp_error error;
	uint32_t right = 0;

	if (!lp_spec_parse(&spec, "queue", &error) || !lp_quasi_parse(&rule, text, &spec, &error))
		return false;
	for (uint32_t i = 0; i < runs; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x9e3779b97f4a7c15) };
		struct lp_history h = { 0 };
		const struct shape_of_history shape = { .calls = 4 + below(&r, 9), .threads = 1 + below(&r, 4),
							.distinct_in_16 = 16, .few_methods = 1 };
		random_history(&h, &spec, &shape, &r);
		shuffle(&h, &r);
		const enum lp_finding general = check(&h, &spec, &rule, true, NULL);
		const bool good = check(&h, &spec, &rule, false, NULL) == general;
		if (!good) {
			fprintf(stderr, "queue, %s, seed %llu: it is %s\n", text, (unsigned long long)(seed + i),
				general == LP_CORRECT ? "right" : "wrong");
			lp_history_print_table(&h, stderr);
		}
		right += general == LP_CORRECT;
		lp_history_close(&h);
		if (!good)
			return false;
	}
	printf("queue, %s: %u of %u right\n", text, right, runs);
	return right && right < runs;
}

/* One after the other: e1 is enqueue(1), d1 is dequeue() -> 1, d0 is empty. */
static const struct {
	const char *calls, *rule;
	bool right;
} sequences[] = {
	/* Figure 1 of the paper. */
	{ "e1 e2 d1 d2", "dequeue=0", true },
	{ "e1 e2 d2 d1", "dequeue=0", false },
	{ "e1 e2 d2 d1", "dequeue=1", true },
	{ "e1 e2 e3 d3 d1 d2", "dequeue=1", false },
	{ "e1 e2 e3 d3 d1 d2", "dequeue=2", true },
	/* Figure 4: first 1 or 2, then the other; then 3 or 4. */
	{ "e1 e2 e3 e4 d2 d1 d4 d3", "dequeue=1", true },
	{ "e1 e2 e3 e4 d2 d3 d1 d4", "dequeue=1", false },
	/* Overtaken again and again: each by one place, and yet too far. */
	{ "e1 e2 e3 e4 e5 d2 d3 d4 d5 d1", "dequeue=3", false },
	{ "e1 e2 e3 e4 e5 d2 d3 d4 d5 d1", "dequeue=4", true },
	/* A method that is not named keeps its order. */
	{ "e1 e2 d2 d1", "enqueue=1", true },
	{ "e1 e2 d2 d1", "front=1", false },
	/* Classes stay in place, unless there is a class of both. */
	{ "d1 e1", "dequeue=0", false },
	{ "d1 e1", "dequeue=1", false },
	{ "d1 e1", "*=0", false },
	{ "d1 e1", "*=1", true },
	/* A removal that finds nothing is in no class. */
	{ "e1 d0 d1", "dequeue=0", false },
	{ "e1 d0 d1", "dequeue=2", false },
	{ "e1 d1 d0 e2 d2", "dequeue=0", true },
	{ "e1 d2 d0 d1 e2", "dequeue=2", false },
	/* The history may go on: 1 may be dequeued next. */
	{ "e1 e2 d2", "dequeue=1", true },
	{ "e1 e2 d2", "dequeue=0", false },
	{ "e1 e2 e3 d3", "dequeue=1", false },
	{ "e1 e2 e3 d3", "dequeue=2", true },
	{ "e1 e2 e3 d3 d2", "dequeue=2", true },
	{ "e1 e2 e3 e4 d3 d4", "dequeue=2", true },
	{ "e1 e2 e3 e4 d4 d3", "dequeue=2", false },
	/* And it may have been 2 that is enqueued next. */
	{ "e1 d2", "dequeue=1", true },
	{ "e1 d2 e2 d1", "dequeue=1", true },
	{ "e1 d2 e3 d1", "dequeue=1", false },
	{ "e1 d2", "enqueue=1", true },
	{ "e1 d2 e3", "enqueue=1", false },
	{ "d2", "dequeue=1", false },
	{ "e1 d1 d1", "dequeue=5", false },
	{ "e1 d1 d1", "enqueue=1", false },
	{ "e1 d2", "*=any", true },
};

/* Values are the digits behind `prefix`: numbers, or texts. */
static bool sequence(size_t which, const char *prefix)
{
	struct lp_history h = { 0 };
	struct lp_spec spec;
	struct lp_quasi rule;
	struct lp_error error = { 0 };
	char table[1024] = "";
	int64_t now = 0;

	for (const char *at = sequences[which].calls; *at; at += at[2] ? 3 : 2) {
		const size_t used = strlen(table);
		if (*at == 'e')
			snprintf(table + used, sizeof table - used, "0 %d %d enqueue %s%c -\n", (int)now,
				 (int)now + 1, prefix, at[1]);
		else if (at[1] == '0')
			snprintf(table + used, sizeof table - used, "0 %d %d dequeue - empty\n",
				 (int)now, (int)now + 1);
		else
			snprintf(table + used, sizeof table - used, "0 %d %d dequeue - %s%c\n", (int)now,
				 (int)now + 1, prefix, at[1]);
		now += 2;
	}
	if (!lp_spec_parse(&spec, "queue", &error) ||
	    !lp_quasi_parse(&rule, sequences[which].rule, &spec, &error) ||
	    !lp_history_parse(&h, "case", LP_FORMAT_TABLE, table, strlen(table), &error)) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	const bool good = check(&h, &spec, &rule, false, NULL) ==
			  (sequences[which].right ? LP_CORRECT : LP_WRONG);
	if (!good)
		fprintf(stderr, "%s: %s is %s (%s)\n", sequences[which].calls, sequences[which].rule,
			sequences[which].right ? "right" : "wrong", *prefix ? "texts" : "numbers");
	lp_history_close(&h);
	return good;
}

/* The first dequeue returned, but it is not known what: if it found nothing, or changed nothing where it was tried first, it may
 * have taken 1 later. */
static bool is_unknown_result_any(void)
{
	static const char table[] = "0 0 2 dequeue - ?\n1 1 3 enqueue 1 -\n1 3 5 enqueue 5 -\n0 4 7 enqueue 4 -\n"
				    "1 6 8 dequeue - 4\n1 10 11 enqueue 7 -\n1 12 13 enqueue 8 -\n"
				    "1 14 15 dequeue - 5\n1 16 17 dequeue - 8\n1 18 19 dequeue - 7\n";
	struct lp_history h = { 0 };
	struct lp_spec spec;
	struct lp_quasi quasi;
	struct lp_error error = { 0 };

	const bool good = lp_spec_parse(&spec, "queue", &error) && lp_quasi_parse(&quasi, "enqueue=1", &spec, &error) &&
			  lp_history_parse(&h, "case", LP_FORMAT_TABLE, table, sizeof table - 1, &error) &&
			  check(&h, &spec, &quasi, true, NULL) == LP_CORRECT;
	if (!good)
		fprintf(stderr, "a dequeue whose result is not known found nothing %s\n", error.text);
	lp_history_close(&h);
	return good;
}

/* Values go in; others come out, which have yet to be inserted.  As many removals wait for them. */
static bool are_many_waited_for(const char *kind, uint32_t values, uint32_t factor)
{
	struct lp_history h = { 0 };
	struct lp_spec spec;
	struct lp_quasi quasi;
	struct lp_error error = { 0 };
	char table[8192] = "", rule[32];
	size_t used = 0;

	snprintf(rule, sizeof rule, "dequeue=%u", factor);
	for (uint32_t i = 1; i <= 2 * values; i++)
		used += (size_t)snprintf(table + used, sizeof table - used,
					 i <= values ? "0 %u %u enqueue %u -\n" : "0 %u %u dequeue - %u\n", 2 * i, 2 * i + 1, i);
	const bool good = lp_spec_parse(&spec, kind, &error) && lp_quasi_parse(&quasi, rule, &spec, &error) &&
			  lp_history_parse(&h, "case", LP_FORMAT_TABLE, table, used, &error) &&
			  check(&h, &spec, &quasi, false, NULL) == (values <= factor ? LP_CORRECT : LP_WRONG);
	if (!good)
		fprintf(stderr, "%s, %s: %u values are waited for %s\n", kind, rule, values, error.text);
	lp_history_close(&h);
	return good;
}

/* A long one: values leave in blocks of three, in any order within; calls stretch over
 * their neighbours, which only makes it more right.  If `wrong`, two values that are far
 * apart change places. */
static bool is_long_one_decided(const char *kind, const char *rule, uint32_t values, bool wrong)
{
	struct lp_history h = { 0 };
	struct lp_spec spec;
	struct lp_quasi quasi;
	struct lp_error error = { 0 };
	struct random_source r = { values };
	char *table = lp_alloc((size_t)values * 128);
	size_t used = 0;
	uint32_t out[3];

	if (!lp_spec_parse(&spec, kind, &error) ||
	    !lp_quasi_parse(&quasi, rule, &spec, &error))
		return false;
	const bool stack = !strcmp(kind, "stack");
	for (uint32_t i = 0; i < 2 * values; i++) {
		/* Three go in, three come out. */
		const uint32_t v = i / 6 * 3 + i % 3 + 1, at = 100 * (i + 1);
		const uint32_t start = at - below(&r, 250), end = at + below(&r, 250);
		if (i % 6 == 3) {
			for (uint32_t j = 0; j < 3; j++) {
				const uint32_t k = below(&r, j + 1);
				out[j] = out[k];
				out[k] = v + (stack ? 2 - j : j);
			}
		}
		uint32_t result = out[i % 3];
		if (wrong && i / 6 == values / 6 && i % 6 >= 3)
			result += 30;
		else if (wrong && i / 6 == values / 6 + 10 && i % 6 >= 3)
			result -= 30;
		if (i % 6 < 3)
			used += (size_t)sprintf(table + used, "%u %d %u insert %u -\n", i, (int)start, end, v);
		else
			used += (size_t)sprintf(table + used, "%u %d %u pop - %u\n", i, (int)start, end, result);
	}
	enum lp_finding finding = LP_UNDECIDED;
	if (lp_history_parse(&h, "case", LP_FORMAT_TABLE, table, used, &error))
		finding = check(&h, &spec, &quasi, false, NULL);
	const bool good = finding == (wrong ? LP_WRONG : LP_CORRECT);
	if (!good)
		fprintf(stderr, "%s, %s, %u values%s: %s%s\n", kind, rule, values,
			wrong ? ", wrong" : "", finding == LP_UNDECIDED ? "undecided" : "the other way round",
			error.text);
	lp_history_close(&h);
	lp_free(table);
	return good;
}

static bool refuses(const char *kind, const char *rule)
{
	struct lp_spec spec;
	struct lp_quasi quasi;
	struct lp_error error;

	if (lp_spec_parse(&spec, kind, &error) && !lp_quasi_parse(&quasi, rule, &spec, &error))
		return true;
	fprintf(stderr, "'%s' was accepted\n", rule);
	return false;
}

int main(int argc, char **argv)
{
	static const char *const bad[] = { "", "dequeue", "dequeue=", "=1", "frob=1", "dequeue=-1",
					   "dequeue=x", "dequeue=1,", "dequeue=99999999999", "+=1",
					   "dequeue+=1", "dequeue=1,,enqueue=1", "**=1" };
	uint32_t runs = 1000, calls = 6;
	uint64_t seed = 1;
	bool good = true;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--runs"))
			runs = (uint32_t)strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--calls"))
			calls = (uint32_t)strtoul(argv[i + 1], NULL, 10);
	}
	if (calls > MOST)
		return 2;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		good &= refuses("queue", bad[i]);
	good &= refuses("lock", "lock=1");
	good &= refuses("rwlock", "lock=1");
	for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
		good &= sequence(i, "") && sequence(i, "text");
	good &= is_unknown_result_any();
	for (uint32_t values = 15; values < 20; values++)
		good &= are_many_waited_for("queue", values, 18) && are_many_waited_for("queue:bounded=100", values, 18);
	for (int wrong = 0; wrong < 2; wrong++) {
		good &= is_long_one_decided("queue", "dequeue=2", 600, wrong);
		good &= is_long_one_decided("priority_queue", "remove=2", 300, wrong);
	}
	good &= is_long_one_decided("stack", "pop=2", 150, false);
	good &= plain_queues("dequeue=1", 1000, seed);
	good &= plain_queues("dequeue=2", 1000, seed);
	good &= plain_queues("dequeue=3", 500, seed);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		good &= random_ones(i, runs, seed, calls);
	return !good;
}
