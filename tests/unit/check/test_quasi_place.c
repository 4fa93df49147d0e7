/* test_quasi_place.c -- quasi-linearizability in place (docs/quasi.md): three who must agree.
 *
 *     test_quasi_place [--runs N] [--seed S]
 *
 * A history is right if it can go on in some way, with further calls, one after the other, so
 * that all of it is close to a right run.  That is asked
 *   - of the definition: all further calls, all orders P and R of everything;
 *   - of quasi.c, for all further calls;
 *   - of relax.c, by way of the product, for all further calls: until nothing is owed.
 * What is right, relax.c does not reject, whether or not it has seen further calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/check.h"
#include "check/product.h"
#include "check/quasi.h"
#include "random_history.h"

enum { MOST = 8, FURTHER = 3, THREADS = 2, MENU = 3 };

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
	uint32_t count, first[MOST], second[MOST];
};

static bool precedes(const struct story *s, uint32_t a, uint32_t b)
{
	return s->at[a].end < s->at[b].start;
}

/* ---- the definition ---- */

/* Inserts, removals, removals that find nothing. */
static uint32_t class_of(const struct call *c)
{
	return c->removes ? c->value == LP_EMPTY ? 2 : 1 : 0;
}

static bool accepts(const struct story *s)
{
	struct lp_state state;
	bool right = true;

	lp_state_open(&state);
	lp_state_begin(&state, s->spec);
	for (uint32_t i = 0; i < s->count && right; i++) {
		const struct call *c = &s->at[s->second[i]];
		const int64_t result = c->removes ? c->value : 1;
		struct lp_spec_call step = { .arg = &c->value, .args = !c->removes,
					     .result = &result, .results = 1 };
		right = lp_spec_step(s->spec, s->method[c->removes], &state, &step) == LP_ACCEPTS;
	}
	lp_state_close(&state);
	return right;
}

static int64_t place(const struct story *s, const uint32_t *order, uint32_t call)
{
	int64_t place = 0;

	for (uint32_t i = 0; order[i] != call; i++)
		place += class_of(&s->at[order[i]]) == class_of(&s->at[call]);
	return place;
}

static bool is_close(const struct story *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct call *c = &s->at[i];
		const int64_t most = class_of(c) == 2 ? 0 : s->factor[s->method[c->removes]];
		if (llabs(place(s, s->first, i) - place(s, s->second, i)) > most)
			return false;
	}
	return true;
}

static bool is_in(const uint32_t *order, uint32_t count, uint32_t call)
{
	for (uint32_t i = 0; i < count; i++)
		if (order[i] == call)
			return true;
	return false;
}

static bool some_second(struct story *s, uint32_t at)
{
	if (at == s->count)
		return is_close(s) && accepts(s);
	for (uint32_t i = 0; i < s->count; i++) {
		if (is_in(s->second, at, i) || class_of(&s->at[i]) != class_of(&s->at[s->first[at]]))
			continue;
		s->second[at] = i;
		if (some_second(s, at + 1))
			return true;
	}
	return false;
}

static bool some_first(struct story *s, uint32_t at)
{
	if (at == s->count)
		return some_second(s, 0);
	for (uint32_t i = 0; i < s->count; i++) {
		bool ready = !is_in(s->first, at, i);
		for (uint32_t j = 0; j < s->count && ready; j++)
			ready = is_in(s->first, at, j) || !precedes(s, j, i);
		if (!ready)
			continue;
		s->first[at] = i;
		if (some_first(s, at + 1))
			return true;
	}
	return false;
}

static bool by_definition(struct story *s) { return some_first(s, 0); }

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

/* Calls one after the other, FURTHER of them at most, that make it right. */
static bool can_go_on(struct story *s, bool (*is_right)(struct story *), uint32_t further)
{
	bool right = is_right(s);
	int64_t now = 1000 + 2 * (int64_t)s->count;

	for (uint32_t next = 0; next < 5 && further && !right; next++) {
		s->at[s->count++] = (struct call){ .removes = next >= 2, .start = now, .end = now + 1,
						   .value = next == 4 ? LP_EMPTY : 1 + next % 2 };
		right = can_go_on(s, is_right, further - 1);
		s->count--;
	}
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

static bool by_product_so_far(struct story *s, bool settled)
{
	const struct lp_product_call menu[MENU] = {
		{ s->method[0], 1, { 1 } }, { s->method[0], 1, { 2 } }, { s->method[1], 0, { 0 } },
	};
	struct lp_product *p = lp_product_open(s->spec, THREADS, menu, MENU);
	uint32_t set;

	lp_product_relax(p, s->factor);
	while ((set = feed(p, s)) == LP_PRODUCT_LEARNT)
		lp_product_again(p);
	const bool right = set != LP_PRODUCT_WRONG && !(settled && lp_product_owes(p, set));
	lp_product_close(p);
	return right;
}

static bool by_product(struct story *s) { return by_product_so_far(s, true); }

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
	if (!lp_quasi_parse(&s->rule, rule, spec->kind, &error))
		exit(1);
	s->rule.in_place = true;
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
	uint32_t runs = 1000, right = 0, late = 0;

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
		const bool definition = can_go_on(&s, by_definition, FURTHER);
		const bool search = can_go_on(&s, by_search, FURTHER);
		const bool product = can_go_on(&s, by_product, FURTHER);
		const bool so_far = by_product_so_far(&s, false);
		late += so_far && !definition;
		if (definition != search || definition != product || (definition && !so_far)) {
			show(&s, definition, search, product);
			return 1;
		}
		right += definition;
	}
	printf("%u histories, %u right; %u wrong ones that do not show yet\n", runs, right, late);
	return !right || right == runs;
}
