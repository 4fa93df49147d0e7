/* test_cliffs.c -- one unusual call does not make a history undecidable.
 *
 *     test_cliffs [--calls N] [--seed S] [KIND...]
 *
 * A queue or stack of some 100 values, used by 8 threads; then one thing that the quick methods do not support is changed:
 * a value comes twice, or again and again; a call looks; a result is not known; there is a bound that is never
 * reached.  All of these are decided, and so are they with two removals exchanged, which is wrong.
 *
 * And registers: 400 compare-and-sets and a few writes that all overlap; and some of them more than can be.
 *
 * And queues with two methods to remove, and with scores: they have the quick methods of queues and of priority queues.
 *
 * And multisets that get one value 40,000 times: what the search remembers must not grow with the square of that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/history/history_check.h"
#include "../random_history.h"

enum { THREADS = 8, DEPTH = 100, SECONDS = 100 };

enum change { PLAIN, REPEAT, MODULO, LOOK, IS_EMPTY, UNKNOWN, BOUND, CHANGES };
static const char *const words[] = { "plain", "repeat", "modulo", "look", "is_empty", "unknown", "bound" };

struct object {
	bool is_stack;
	int64_t at[DEPTH];
	uint32_t count;
	int64_t next;
};

static int64_t take(struct object *o)
{
	const int64_t value = o->at[o->is_stack ? o->count - 1 : 0];

	o->count--;
	if (!o->is_stack)
		memmove(o->at, o->at + 1, sizeof *o->at * o->count);
	return value;
}

static void add(struct lp_history *h, uint32_t thread, int64_t start, int64_t end, const char *method,
		const int64_t *arg, const int64_t *result)
{
	struct lp_call c = { .start = start, .end = end, .thread = thread, .line = h->count + 1,
			     .method = lp_history_method(h, method, strlen(method)) };

	if (arg)
		c.arg[c.args++] = *arg;
	c.results = result != NULL;
	c.result = result ? *result : 0;
	LP_PUSH(h, c);
}

/* Calls take effect one after the other, every ten units of time, somewhere within their intervals. */
static void generate(struct lp_history *h, struct object *o, uint32_t calls, enum change change,
		     struct random_source *r)
{
	int64_t busy[THREADS] = { 0 };
	const int64_t yes = 1, no = 0, empty = LP_EMPTY;

	for (uint32_t i = 0; i < calls; i++) {
		const uint32_t t = below(r, THREADS);
		const int64_t now = 10 * ((int64_t)i + 10);
		if (busy[t] >= now)
			continue;
		int64_t start = now - 1 - below(r, 10 * THREADS);
		if (start <= busy[t])
			start = busy[t] + 1;
		if (start > now)
			start = now;
		busy[t] = now + 1 + below(r, 10 * THREADS);
		if (below(r, 2) && o->count < DEPTH) {
			o->at[o->count++] = ++o->next;
			add(h, t, start, busy[t], o->is_stack ? "push" : "enqueue", &o->next, &yes);
		} else {
			const int64_t value = o->count ? take(o) : empty;
			add(h, t, start, busy[t], o->is_stack ? "pop" : "dequeue", NULL, &value);
		}
		if (i == calls * 2 / 3 && change == LOOK && o->count)
			add(h, THREADS, now + 1, now + 1, o->is_stack ? "top" : "front", NULL,
			    &o->at[o->is_stack ? o->count - 1 : 0]);
		if (i == calls * 2 / 3 && change == IS_EMPTY && o->count)
			add(h, THREADS, now + 1, now + 1, "is_empty", NULL, &no);
	}
}

static bool removes(const struct lp_history *h, uint32_t i)
{
	return !h->at[i].args && h->at[i].results == 1 && h->at[i].thread < THREADS &&
	       h->at[i].result != LP_EMPTY;
}

static void rename_value(struct lp_history *h, int64_t from, int64_t to)
{
	for (uint32_t i = 0; i < h->count; i++) {
		if (h->at[i].args && h->at[i].arg[0] == from)
			h->at[i].arg[0] = to;
		else if (!h->at[i].args && h->at[i].result == from)
			h->at[i].result = to;
	}
}

static void spoil(struct lp_history *h)
{
	uint32_t first = UINT32_MAX, seen = 0;

	for (uint32_t i = h->count / 3; i < h->count; i++) {
		if (!removes(h, i))
			continue;
		if (first == UINT32_MAX)
			first = i;
		if (++seen < 40 || h->at[i].result == h->at[first].result)
			continue;
		const int64_t swap = h->at[i].result;
		h->at[i].result = h->at[first].result;
		h->at[first].result = swap;
		return;
	}
}

static void apply(struct lp_history *h, enum change change)
{
	if (change == REPEAT)
		rename_value(h, h->count / 4 + 7, h->count / 4);
	for (int64_t v = DEPTH + 50; change == MODULO && v <= h->count; v++)
		rename_value(h, v, v % (DEPTH + 50));
	for (uint32_t i = h->count / 2; change == UNKNOWN && i < h->count; i++) {
		if (removes(h, i)) {
			h->at[i].results = LP_RESULT_UNKNOWN;
			return;
		}
	}
}

static bool run(bool is_stack, enum change change, bool wrong, uint32_t calls, uint64_t seed)
{
	struct random_source r = { seed * UINT64_C(0x2545f4914f6cdd1d) };
	struct object o = { .is_stack = is_stack };
	struct lp_history h = { 0 };
	const struct lp_check_options options = { .property = LP_LINEARIZABLE, .seconds = SECONDS };
	struct lp_check_result result;
	struct lp_spec spec;
	struct lp_error error;
	const char *kind = is_stack ? "stack" : "queue";
	char text[64];

	snprintf(text, sizeof text, change == BOUND ? "%s:bounded=100000" : "%s", kind);
	generate(&h, &o, calls, change, &r);
	apply(&h, change);
	if (wrong)
		spoil(&h);
	if (!lp_spec_parse(&spec, text, &error) || !lp_history_check(&h, &spec, &options, &result, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	const bool good = result.finding == (wrong ? LP_WRONG : LP_CORRECT);
	printf("%-4s %s of %u calls, %s, %s: %s, %s, %.2f s\n", good ? "ok" : "FAIL", kind, h.count,
	       words[change], wrong ? "wrong" : "right", result.method, result.reason, result.seconds);
	lp_check_result_close(&result);
	lp_history_close(&h);
	return good;
}

static bool run_register(int64_t values, uint32_t writes_in_16, bool wrong, uint64_t seed)
{
	struct random_source r = { seed * UINT64_C(0x2545f4914f6cdd1d) };
	struct lp_history h = { 0 };
	const struct lp_check_options options = { .property = LP_LINEARIZABLE, .seconds = SECONDS };
	struct lp_check_result result;
	struct lp_spec spec;
	struct lp_error error;
	int64_t now = 0;
	const int64_t yes = 1;

	for (uint32_t i = 0; i < 400; i++) {
		const int64_t next = below(&r, (uint32_t)values);
		const bool writes = below(&r, 16) < writes_in_16;
		add(&h, i, 0, 1000, writes ? "write" : "cas", &now, writes ? NULL : &yes);
		h.at[i].arg[writes ? 0 : 1] = next;
		h.at[i].args = writes ? 1 : 2;
		now = next;
	}
	/* Two more that leave from the same value, and none that comes to it. */
	for (uint32_t i = 0; i < 2 && wrong; i++) {
		add(&h, 400 + i, 0, 1000, "cas", &(int64_t){ (now + 1) % values }, &yes);
		LP_LAST(&h).arg[1] = (now + 2) % values;
		LP_LAST(&h).args = 2;
	}
	for (uint32_t i = h.count; i > 1; i--) { /* shuffled: the order they are in is correct */
		const uint32_t j = below(&r, i);
		const struct lp_call swap = h.at[i - 1];
		h.at[i - 1] = h.at[j];
		h.at[j] = swap;
	}
	if (!lp_spec_parse(&spec, "register", &error) ||
	    !lp_history_check(&h, &spec, &options, &result, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	const bool good = result.finding == (wrong ? LP_WRONG : LP_CORRECT);
	printf("%-4s register of %lld values, %u calls at a time, %s: %s, %.2f s\n", good ? "ok" : "FAIL",
	       (long long)values, h.count, wrong ? "wrong" : "right", result.reason, result.seconds);
	lp_check_result_close(&result);
	lp_history_close(&h);
	return good;
}

/* Turns the calls of a queue into those of another kind.  Scores rise with the values, and each four values have the same one. */
static void translate(struct lp_history *h, bool scored)
{
	const uint16_t insert = lp_history_method(h, scored ? "insert" : "push", scored ? 6 : 4);
	const uint16_t pop = lp_history_method(h, "pop", 3), steal = lp_history_method(h, "steal", 5);

	for (uint32_t i = 0; i < h->count; i++) {
		struct lp_call *c = &h->at[i];
		const bool inserts = c->args;
		c->method = inserts ? insert : !scored && i % 3 ? steal : pop;
		if (inserts && scored) {
			c->arg[c->args++] = c->arg[0];
			c->arg[0] /= 4;
		}
	}
}

static bool run_translated(const char *kind, bool wrong, uint64_t seed)
{
	struct random_source r = { seed * UINT64_C(0x2545f4914f6cdd1d) };
	const struct lp_check_options options = { .property = LP_LINEARIZABLE, .seconds = SECONDS };
	struct object o = { 0 };
	struct lp_history h = { 0 };
	struct lp_check_result result;
	struct lp_spec spec;
	struct lp_error error;

	generate(&h, &o, 20000, PLAIN, &r);
	if (wrong)
		spoil(&h);
	translate(&h, !strcmp(kind, "scored_queue"));
	if (!lp_spec_parse(&spec, kind, &error) || !lp_history_check(&h, &spec, &options, &result, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	const bool good = result.finding == (wrong ? LP_WRONG : LP_CORRECT) && !strstr(result.method, "search");
	printf("%-4s %s of %u calls, %s: %s, %s, %.2f s\n", good ? "ok" : "FAIL", kind, h.count, wrong ? "wrong" : "right", result.method,
	       result.reason, result.seconds);
	lp_check_result_close(&result);
	lp_history_close(&h);
	return good;
}

/* Two threads insert the same value, always overlapping; then one counts it. */
static bool run_multiset(bool wrong)
{
	enum { INSERTIONS = 40000 };
	const struct lp_check_options options = { .property = LP_LINEARIZABLE, .seconds = SECONDS,
						  .memory = (size_t)64 << 20 };
	const int64_t value = 7, counted = INSERTIONS + wrong;
	struct lp_history h = { 0 };
	struct lp_check_result result;
	struct lp_spec spec;
	struct lp_error error;

	for (uint32_t i = 0; i < INSERTIONS; i++)
		add(&h, i % 2, 10 * (int64_t)i, 10 * (int64_t)i + 15, "insert", &value, NULL);
	add(&h, 0, 10 * INSERTIONS + 100, 10 * INSERTIONS + 101, "count", &value, &counted);
	if (!lp_spec_parse(&spec, "multiset", &error) || !lp_history_check(&h, &spec, &options, &result, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	const bool good = result.finding == (wrong ? LP_WRONG : LP_CORRECT);
	printf("%-4s multiset with one value, %u calls, %s: %s, %.2f s\n", good ? "ok" : "FAIL", h.count,
	       wrong ? "wrong" : "right", result.reason, result.seconds);
	lp_check_result_close(&result);
	lp_history_close(&h);
	return good;
}

int main(int argc, char **argv)
{
	uint32_t calls = 2000;
	uint64_t seed = 1;
	bool good = true;
	int at = 1;

	for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
		if (!strcmp(argv[at], "--seed"))
			seed = strtoull(argv[at + 1], NULL, 10);
		else if (!strcmp(argv[at], "--calls"))
			calls = (uint32_t)strtoul(argv[at + 1], NULL, 10);
	}
	for (int is_stack = 0; is_stack < 2; is_stack++)
		for (int change = 0; change < CHANGES; change++)
			for (int wrong = 0; wrong < 2; wrong++)
				if (at == argc || !strcmp(argv[at], is_stack ? "stack" : "queue"))
					good &= run(is_stack, (enum change)change, wrong, calls, seed);
	for (int64_t values = 4; at == argc || !strcmp(argv[at], "register"); values *= 5) {
		for (int wrong = 0; wrong < 2; wrong++)
			good &= run_register(values, wrong ? 0 : 2, wrong, seed);
		if (values > 400)
			break;
	}
	static const char *const translated[] = { "fifo_work_stealing", "scored_queue" };
	for (uint32_t i = 0; i < 2; i++)
		for (int wrong = 0; wrong < 2 && (at == argc || !strcmp(argv[at], translated[i])); wrong++)
			good &= run_translated(translated[i], wrong, seed);
	for (int wrong = 0; wrong < 2 && (at == argc || !strcmp(argv[at], "multiset")); wrong++)
		good &= run_multiset(wrong);
	return !good;
}
