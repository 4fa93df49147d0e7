/* test_quasi_place.c -- quasi-linearizability for calls that go on forever: the product.
 *
 *     test_quasi_place [--runs N] [--seed S]
 *
 * Random histories of queues, stacks and priority queues are fed to the product that `states`
 * uses, to the search of `history`, and to the definition (naive_quasi.h).  All three agree on
 * every prefix: a history that is wrong is so as soon as it is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../history/random_history.h"
#include "base/error.h"
#include "check/history/history_check.h"
#include "check/product/product.h"
#include "naive_quasi.h"

enum { MOST = 8, THREADS = 2, MENU = 3 };

struct call {
	uint32_t removes;
	int64_t value; /* put in, or got; LP_EMPTY */
	int64_t start, end;
	uint32_t thread;
};

struct story {
	const struct lp_spec *spec;
	uint32_t method[2], factor[32]; /* insert and remove; by method */
	struct lp_quasi rule;
	struct call at[MOST];
	uint32_t count;
};

static bool precedes(const struct story *s, uint32_t a, uint32_t b)
{
	return s->at[a].end < s->at[b].start;
}

/* ---- the definition ---- */

static bool some_order(struct story *s, struct naive_quasi *n, uint32_t done)
{
	if (n->count == s->count)
		return naive_quasi_fits(n);
	for (uint32_t i = 0; i < s->count; i++) {
		const struct call *c = &s->at[i];
		bool ready = !(done >> i & 1);
		for (uint32_t j = 0; j < s->count && ready; j++)
			ready = done >> j & 1 || !precedes(s, j, i);
		if (!ready)
			continue;
		n->call[n->count++] = (struct naive_call){ .method = s->method[c->removes],
							   .arg = { c->removes ? 0 : c->value }, .results = 1,
							   .result = c->removes ? c->value : 1 };
		const bool found = some_order(s, n, done | 1u << i);
		n->count--;
		if (found)
			return true;
	}
	return false;
}

static bool by_definition(struct story *s)
{
	struct naive_quasi n = { .spec = s->spec, .rule = &s->rule, .further = 4 };

	const struct naive_values values = { { 1, 2 }, 2 };

	naive_quasi_fill_menu(&n, &values);
	return some_order(s, &n, 0);
}

/* ---- quasi.c ---- */

static bool by_search(struct story *s)
{
	const struct lp_check_options options = { .property = LP_QUASI, .quasi = &s->rule,
						  .general = true };
	struct lp_check_result r;
	struct lp_history h = { .count = 0 };
	struct lp_error error = { .hint = "" };

	for (uint32_t i = 0; i < s->count; i++) {
		const struct call *c = &s->at[i];
		char name[32];
		lp_method_name(&s->spec->kind->methods[s->method[c->removes]], name);
		LP_PUSH(&h, ((struct lp_call){ .start = c->start, .end = c->end,
					       .arg = { c->removes ? 0 : c->value },
					       .args = !c->removes, .thread = c->thread,
					       .result = c->removes ? c->value : 1, .results = 1,
					       .method = lp_history_method(&h, name, strlen(name)) }));
	}
	if (!lp_history_check(&h, s->spec, &options, &r, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	const bool right = r.finding == LP_CORRECT;
	lp_check_result_close(&r);
	lp_history_close(&h);
	return right;
}

/* ---- relax.c ---- */

/* The event at that time, if there is one: whether it begins, and of which call. */
static bool event_at(const struct story *s, int64_t now, bool *begins, uint32_t *call)
{
	for (*call = 0; *call < s->count; ++*call) {
		*begins = s->at[*call].start == now;
		if (*begins || s->at[*call].end == now)
			return true;
	}
	return false;
}

static uint32_t feed(struct lp_product *p, const struct story *s)
{
	uint32_t set = lp_product_begin(p), call;
	bool begins;

	for (int64_t now = 0; now < 1100 && set < LP_PRODUCT_DOUBTS; now++) {
		if (!event_at(s, now, &begins, &call))
			continue;
		const struct call *c = &s->at[call];
		set = begins ? lp_product_calls(p, set, c->thread,
						c->removes ? 2 : (uint32_t)c->value - 1) :
			       lp_product_returns(p, set, c->thread, c->removes ? c->value : 1);
	}
	return set;
}

static bool by_product(struct story *s)
{
	const struct lp_product_call menu[MENU] = {
		{ s->method[0], 1, { 1 } }, { s->method[0], 1, { 2 } }, { s->method[1], 0, { 0 } },
	};
	struct lp_product *p = lp_product_open(s->spec, THREADS, menu, MENU);
	uint32_t set;

	lp_product_relax(p, &s->rule);
	while ((set = feed(p, s)) == LP_PRODUCT_LEARNT)
		lp_product_again(p);
	const bool right = set != LP_PRODUCT_WRONG;
	lp_product_close(p);
	return right;
}

/* ---- random ones ---- */

static void make_story(struct story *s, const struct lp_spec *spec, struct random_source *r)
{
	char rule[64];
	struct lp_error error;
	uint32_t open[THREADS] = { MOST, MOST }, done = 0;
	const uint32_t calls = 2 + below(r, 3);
	const char *names[2] = { "insert", "remove" };

	memset(s, 0, sizeof *s);
	s->spec = spec;
	if (!strcmp(spec->kind->name, "queue"))
		names[0] = "enqueue", names[1] = "dequeue";
	if (!strcmp(spec->kind->name, "stack"))
		names[0] = "push", names[1] = "pop";
	for (uint32_t i = 0; i < 2; i++) {
		s->method[i] = lp_method_named(spec->kind, names[i], strlen(names[i]));
		s->factor[s->method[i]] = below(r, i + 2);
	}
	snprintf(rule, sizeof rule, "%s=%u,%s=%u", names[0], s->factor[s->method[0]], names[1],
		 s->factor[s->method[1]]);
	if (!lp_quasi_parse(&s->rule, rule, spec, &error))
		exit(1);
	for (int64_t now = 0; done < calls; now++) {
		const uint32_t t = below(r, THREADS);
		if (open[t] < MOST) {
			s->at[open[t]].end = now;
			open[t] = MOST;
			done++;
		} else if (s->count < calls) {
			const uint32_t removes = below(r, 2);
			s->at[s->count] = (struct call){
				.removes = removes, .start = now, .thread = t, .end = INT64_MAX - 1,
				.value = removes && !below(r, 4) ? LP_EMPTY : 1 + (int64_t)below(r, 2) };
			open[t] = s->count++;
		} else {
			now--;
		}
	}
}

static void show(const struct story *s, bool definition, bool search, bool product)
{
	printf("%s, factors %u and %u: definition %d, quasi.c %d, relax.c %d\n", s->spec->kind->name,
	       s->factor[s->method[0]], s->factor[s->method[1]], definition, search, product);
	for (uint32_t i = 0; i < s->count; i++)
		printf("  %lld-%lld thread %u: %s %lld\n", (long long)s->at[i].start,
		       (long long)s->at[i].end, s->at[i].thread, s->at[i].removes ? "remove" : "insert",
		       (long long)s->at[i].value);
}

int main(int argc, char **argv)
{
	static const char *const kinds[] = { "queue", "stack", "priority_queue" };
	struct random_source r = { 1 };
	uint32_t runs = 1000, right = 0;

	for (int i = 1; i + 1 < argc; i += 2)
		if (!strcmp(argv[i], "--runs"))
			runs = (uint32_t)strtoul(argv[i + 1], NULL, 10);
		else
			r.state = strtoull(argv[i + 1], NULL, 10);
	for (uint32_t run = 0; run < runs; run++) {
		struct lp_spec spec;
		struct lp_error error;
		struct story s;
		if (!lp_spec_parse(&spec, kinds[run % 3], &error))
			return 1;
		make_story(&s, &spec, &r);
		const bool definition = by_definition(&s), search = by_search(&s), product = by_product(&s);
		if (definition != search || definition != product) {
			show(&s, definition, search, product);
			return 1;
		}
		right += definition;
	}
	printf("%u histories, %u right\n", runs, right);
	return !right || right == runs;
}
