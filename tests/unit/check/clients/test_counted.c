/* test_counted.c -- formulae and grammars on observations, against every order.
 *
 *     test_counted [RUNS [SEED]]
 *
 * An observation is wrong iff some possible interval order of length at most k on its calls has wrong counts.  Here all orders
 * are tried, and each one is judged as a recorded history: calls have times, by which the checker of histories counts them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "check/counting/ak.h"
#include "check/counting/languages/formula.h"
#include "check/counting/languages/kernel.h"
#include "history/history.h"
#include "naive_orders.h"
#include "random_observation.h"

struct language {
	const char *spec, *text;
	bool grammar;
};

#define BEFORE                                                                        \
	"let total(x, i, j) = sum a in i..j: sum b in a..j: #(x, a, b);"              \
	"let begun(x, i) = sum a in 0..i: sum b in a..k: #(x, a, b);"                 \
	"let before(x, y) = some i in 0..k-1:"                                        \
	" total(x, 0, i) > 0 and total(x, 0, k) = total(x, 0, i) and begun(y, i) = 0;" \
	"let match(x, y) = Inserts(x) and Removes(y) and SameVal(x, y);"

static const struct language languages[] = {
	{ "queue", BEFORE "violation fv = exists x1, x2, y1, y2: match(x1, y1) and match(x2, y2)"
			  " and before(x1, x2) and before(y2, y1);", false },
	{ "stack", BEFORE "violation lv = exists x1, x2, y: match(x1, y) and Inserts(x2) and before(x1, x2) and before(x2, y)"
			  " and not exists z: Removes(z) and SameVal(x2, z);", false },
	{ "queue", BEFORE "violation ev = exists x, y: Inserts(x) and EmptyVal(y) and before(x, y)"
			  " and not exists z: Removes(z) and SameVal(x, z);", false },
	/* These are no properties of specifications: with more order there may be less wrong. */
	{ "queue", "violation spans = exists x: some i in 0..k-1: #(x, i, i + 1) > 0;", false },
	{ "stack", "require first = sum j in 0..k: sum i in j..k: #(<push(1)>, j, i) <= sum j in 0..k: #(<push(1)>, 0, j);", false },
	{ "lock", "violation open = exists x: Pending(x) and some i in 1..k: #(x, i, i) > 0;", false },
	{ "lock", "F -> | <lock> H | <trylock => true> H; H -> | <unlock> F | <trylock => false> H;", true },
	{ "lock", "S -> | <lock> S <unlock> | <trylock => true> S | <trylock => false>;", true },
	{ "queue", "S -> | <enqueue(1)> T | <dequeue => empty> S; T -> | <dequeue => 1> S | <enqueue(2)> U;"
		   "U -> | <dequeue => 1> V | <dequeue => 2> T; V -> | <dequeue => 2> S;", true },
};

/* What is wrong by the history with these places? */
static bool is_wrong_history(const struct lp_spec *spec, const struct lp_observation *o, rel h, uint32_t k,
			     const struct lp_formulae *formulae, const struct lp_kernel *kernel)
{
	struct lp_history history = { 0 };
	const struct lp_ak_options options = { .k = k, .formulae = formulae, .kernel = kernel, .every = UINT32_MAX };
	struct lp_ak_result result;
	struct lp_error error = { 0 };
	uint32_t past[N];

	for (uint32_t a = 0; a < o->count; a++) {
		past[a] = 0;
		for (uint32_t b = 0; b < o->count; b++)
			past[a] |= (uint32_t)has(h, b, a) << b;
	}
	for (uint32_t a = 0; a < o->count; a++) {
		const struct lp_method *m = &spec->kind->methods[o->call[a].method];
		struct lp_call c = { .thread = a, .line = a + 1, .args = (uint8_t)m->args };
		bool before[1 << N] = { false }, after[1 << N] = { false };
		char name[32];
		for (uint32_t b = 0; b < o->count; b++) {
			before[past[b]] |= has(h, b, a);
			after[past[b]] |= !has(h, a, b);
		}
		for (uint32_t s = 0; s < 1 << N; s++) {
			c.start += before[s];
			c.end += after[s];
		}
		c.end--;
		lp_method_name(m, name);
		c.method = lp_history_method(&history, name, strlen(name));
		memcpy(c.arg, o->call[a].arg, sizeof *c.arg * c.args);
		if (o->call[a].stuck) {
			c.end = LP_PENDING;
			c.results = LP_RESULT_UNKNOWN;
		} else if (m->result != LP_NOTHING) {
			c.results = 1;
			c.result = naive_result(m, &o->call[a]);
		}
		LP_PUSH(&history, c);
	}
	if (!lp_ak_check(&history, spec, &options, &result, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	lp_history_close(&history);
	return result.violated;
}

static bool naive_is_right(const struct lp_spec *spec, const struct lp_observation *o, uint32_t k,
			   const struct lp_formulae *formulae, const struct lp_kernel *kernel)
{
	const struct naive_question q = { .spec = spec, .class = LP_ORDERS_INTERVALS, .length = k, .o = o };
	const struct members *m = members_of(&q);
	const struct known known = known_of(o);

	for (uint32_t i = 0; i < m->count; i++)
		if (is_possible(&known, m->h[i]) && is_wrong_history(spec, o, m->h[i], k, formulae, kernel))
			return false;
	return true;
}

struct question {
	struct lp_spec spec;
	struct lp_formulae *formulae;
	struct lp_kernel *kernel;
	uint32_t k;
};

static bool differ(const struct question *q, struct random_observation *x, bool *right)
{
	struct lp_clients *clients = lp_clients_open(&q->spec, LP_ORDERS_INTERVALS, LP_SYNC_NONE, true);
	struct lp_refutation why;
	bool differs = false;

	settle_observation(x);
	lp_clients_length(clients, q->k);
	lp_clients_count(clients, q->formulae, q->kernel);
	*right = naive_is_right(&q->spec, &x->o, q->k, q->formulae, q->kernel);
	for (int again = 0; again < 2; again++) { /* the second answer comes from what is remembered */
		const enum lp_clients_answer answer = lp_clients_judge(clients, &x->o, &why);
		differs |= answer != (*right ? LP_CLIENTS_RIGHT : LP_CLIENTS_WRONG);
	}
	/* The order that is shown must be wrong itself. */
	if (!*right && !differs)
		differs = !is_wrong_history(&q->spec, &x->o, from_before(why.before, x->o.count), q->k, q->formulae, q->kernel);
	lp_clients_close(clients);
	return differs;
}

static void shrink(const struct question *q, struct random_observation *x)
{
	bool right;

	for (uint32_t a = 0; a < x->o.count;) {
		struct random_observation less = *x;
		drop_call(&less, a);
		if (less.o.count && differ(q, &less, &right))
			*x = less;
		else
			a++;
	}
	settle_observation(x);
}

static bool run(const struct language *l, uint32_t runs, uint64_t first)
{
	struct question q = { .k = 0 };
	struct lp_error error = { 0 };
	uint32_t rights = 0;

	if (!lp_spec_parse(&q.spec, l->spec, &error) ||
	    !(l->grammar ? (void *)(q.kernel = lp_kernel_parse("grammar", l->text, strlen(l->text), q.spec.kind, &error)) :
			   (void *)(q.formulae = lp_formulae_parse("formulae", l->text, strlen(l->text), q.spec.kind, &error)))) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	for (uint64_t seed = first; seed < first + runs; seed++) {
		struct random_source r = { seed * UINT64_C(0x9e3779b97f4a7c15) };
		struct random_observation x;
		bool right;
		random_observation(&x, &q.spec, 1 + below(&r, NAIVE_CALLS), below(&r, 2), &r);
		memset(x.o.before, 0, sizeof x.o.before);
		q.k = below(&r, 4);
		if (differ(&q, &x, &right)) {
			shrink(&q, &x);
			printf("seed %llu, k = %u, %s\n", (unsigned long long)seed, q.k, l->text);
			print_observation(stdout, &x, &q.spec);
			return false;
		}
		rights += right;
	}
	lp_formulae_close(q.formulae);
	lp_kernel_close(q.kernel);
	printf("%s: seeds %llu to %llu: %u right, %u wrong\n", l->spec, (unsigned long long)first,
	       (unsigned long long)first + runs - 1, rights, runs - rights);
	return rights && rights < runs; /* agreement on nothing is none */
}

int main(int argc, char **argv)
{
	const uint32_t runs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	bool good = true;

	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
		good &= run(&languages[i], runs, seed);
	return !good;
}
