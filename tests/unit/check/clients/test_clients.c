/* test_clients.c -- the check of all clients against all orders and permutations.
 *
 *     test_clients [--runs N] [--seed S] [--calls N] [--quasi] SPEC...
 *
 * For random observations, every class of orders and every demand on synchronisation, the
 * answer is the naive one, the second answer (from the cache) is the first, and a reason
 * for "wrong" is one; with --quasi, for random factors.  Observations of the same calls that differ
 * in their relations are asked about one after the other.  What fails is made smaller and printed with
 * its seed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "random_observation.h"

static const char *const classes[] = { "all orders", "chains", "blocks", "none", "intervals" };
static const char *const syncs[] = { "none", "r", "ri", "rid" };

struct tally {
	uint64_t right, wrong, order_matters, sync_missing, stuck;
};

/* NULL, or what is wrong with the answer. */
static const char *answer_fails(struct lp_clients *clients, const struct naive_question *q,
				struct tally *tally)
{
	struct lp_refutation why;
	const bool right = lp_clients_judge(clients, q->o, &why) == LP_CLIENTS_RIGHT;
	const char *found = NULL;

	if (right != naive_right(q))
		found = right ? "right, the naive checker says wrong" : "wrong, the naive checker says right";
	else if (!right)
		found = naive_objection(q, &why);
	if (!found) {
		struct lp_refutation again;
		if ((lp_clients_judge(clients, q->o, &again) == LP_CLIENTS_RIGHT) != right)
			found = "the second answer is another one";
	}
	tally->right += right;
	tally->wrong += !right;
	tally->order_matters += !right && why.order_matters;
	tally->sync_missing += !right && why.sync_missing;
	tally->stuck += !right && why.stuck != LP_NO_CALL;
	return found;
}

/* The same calls, and fewer relations, or none of one kind. */
static void take_some(struct random_observation *x, struct random_source *r)
{
	uint32_t *const rows[] = { x->o.before, x->o.clashes, x->o.reaches, x->o.happens };
	const uint32_t gone = below(r, 8);

	for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (uint32_t a = 0; a < x->o.count; a++)
			if (i == gone)
				rows[i][a] = 0;
			else if (i && below(r, 2)) /* or it would not be closed */
				rows[i][a] &= (uint32_t)below(r, UINT32_C(1) << x->o.count);
	settle_observation(x);
}

static uint64_t some_number(const struct lp_observation *o)
{
	uint64_t name = o->count;

	for (uint32_t a = 0; a < o->count; a++)
		name = name * 31 + (uint64_t)o->call[a].result + o->reaches[a] * 7 + o->clashes[a];
	return name;
}

/* What is known after such observations must not be taken for more than it is. */
static const char *failure(const struct naive_question *q, const struct random_observation *x,
			   struct tally *tally)
{
	struct lp_clients *clients = lp_clients_open(q->spec, q->class, q->sync, true);
	struct random_source r = { some_number(&x->o) };
	struct tally aside = { 0 };
	const char *found = NULL;

	lp_clients_length(clients, q->length);
	if (q->quasi)
		lp_clients_relax(clients, q->quasi);
	for (uint32_t i = 0; i < 3 && !found; i++) {
		struct random_observation other = *x;
		struct naive_question more = *q;
		take_some(&other, &r);
		more.o = &other.o;
		if (naive_given_possible(&other.o))
			found = answer_fails(clients, &more, &aside);
	}
	if (!found)
		found = answer_fails(clients, q, tally);
	lp_clients_close(clients);
	return found;
}

static bool still_fails(struct random_observation *x, struct naive_question q)
{
	struct tally ignored = { 0 };

	settle_observation(x);
	q.o = &x->o;
	return x->o.count && naive_given_possible(&x->o) && failure(&q, x, &ignored);
}

static bool take_bits(struct random_observation *x, const struct naive_question *q, size_t offset)
{
	bool changed = false;

	for (uint32_t a = 0; a < x->o.count; a++)
		for (uint32_t b = 0; b < x->o.count; b++) {
			struct random_observation less = *x;
			uint32_t *row = (uint32_t *)((char *)&less + offset);
			if (!(row[a] >> b & 1))
				continue;
			row[a] &= ~(UINT32_C(1) << b);
			if (offset == offsetof(struct random_observation, o.before))
				for (uint32_t i = 0; i < x->o.count; i++) /* or it would not be closed */
					row[i] = i == a ? row[i] : 0;
			if (still_fails(&less, *q)) {
				*x = less;
				changed = true;
			}
		}
	return changed;
}

static void shrink(struct random_observation *x, const struct naive_question *q)
{
	static const size_t rows[] = { offsetof(struct random_observation, o.before),
				       offsetof(struct random_observation, o.clashes),
				       offsetof(struct random_observation, o.reaches),
				       offsetof(struct random_observation, o.happens) };

	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t a = 0; a < x->o.count; a++) {
			struct random_observation less = *x;
			drop_call(&less, a);
			if (still_fails(&less, *q)) {
				*x = less;
				changed = true;
			}
		}
		if (!x->o.exact) {
			struct random_observation less = *x;
			less.o.exact = true;
			less.forbidden_count = 0;
			if (still_fails(&less, *q)) {
				*x = less;
				changed = true;
			}
		}
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
			changed |= take_bits(x, q, rows[i]);
	}
	settle_observation(x);
}

static void report(struct random_observation *x, struct naive_question q, uint64_t seed)
{
	struct tally ignored = { 0 };

	shrink(x, &q);
	q.o = &x->o;
	printf("%s, seed %llu: %s, sync %s: %s\n", q.spec->kind->name, (unsigned long long)seed,
	       classes[q.class], syncs[q.sync], failure(&q, x, &ignored));
	for (uint32_t c = 0; q.quasi && c < q.quasi->count; c++)
		printf("  quasi factor %u for methods %llx\n", q.quasi->classes[c].factor,
		       (unsigned long long)q.quasi->classes[c].methods);
	print_observation(stdout, x, q.spec);
}

/* Kinds that say what is inserted and removed. */
static bool knows_sync(const struct lp_kind *kind)
{
	for (uint32_t i = 0; i < kind->method_count; i++)
		if (kind->methods[i].roles & (LP_INSERTS | LP_REMOVES))
			return strcmp(kind->name, "snapshot") != 0;
	return false;
}

/* Classes with factors, some of which overlap; a method may be in none. */
static void random_quasi(struct lp_quasi *q, const struct lp_kind *kind, struct random_source *r)
{
	*q = (struct lp_quasi){ .count = 1 + below(r, 3) };
	for (uint32_t c = 0; c < q->count; c++) {
		q->classes[c].methods = 1 + below(r, (UINT32_C(1) << kind->method_count) - 1);
		q->classes[c].factor = below(r, 8) ? below(r, 4) : LP_ANY_DISTANCE;
	}
	if (below(r, 2)) { /* as users have it: a class for each method */
		q->count = kind->method_count;
		for (uint32_t c = 0; c < q->count; c++)
			q->classes[c].methods = UINT64_C(1) << c;
		for (uint32_t c = 0; c < q->count; c++)
			q->classes[c].factor = below(r, 3);
	}
}

static unsigned run(const char *text, uint64_t runs, uint64_t first, uint32_t calls, bool relaxed)
{
	struct lp_quasi quasi;
	struct tally tally = { 0 };
	struct lp_spec spec;
	struct lp_error error;
	unsigned failures = 0;

	if (!lp_spec_parse(&spec, text, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	for (uint64_t seed = first; seed < first + runs && !failures; seed++) {
		struct random_source r = { seed * UINT64_C(0x9e3779b97f4a7c15) };
		struct random_observation x;
		const bool distinct = below(&r, 2);
		const uint32_t n = 1 + below(&r, 4 * calls);

		random_observation(&x, &spec, n > calls ? calls - (n & 1) : n, distinct, &r);
		struct naive_question q = { .spec = &spec, .o = &x.o,
					    .class = (enum lp_order_class)below(&r, 5), .length = below(&r, 4) };
		if (below(&r, 2) || (lp_spec_uses_overlap(&spec) && (q.class == LP_ORDERS_CHAINS || q.class == LP_ORDERS_BLOCKS)))
			q.class = LP_ORDERS_ALL;
		if (knows_sync(spec.kind) && below(&r, 2))
			q.sync = (enum lp_sync)below(&r, 4);
		if (relaxed) {
			random_quasi(&quasi, spec.kind, &r);
			q.quasi = &quasi;
			q.sync = LP_SYNC_NONE;
			q.class = q.class == LP_ORDERS_NONE ? LP_ORDERS_NONE : LP_ORDERS_ALL;
		}
		if (failure(&q, &x, &tally)) {
			report(&x, q, seed);
			failures++;
		}
	}
	printf("%s: seeds %llu to %llu: %llu right, %llu wrong: for an order %llu, without "
	       "synchronisation %llu, stuck %llu\n",
	       text, (unsigned long long)first, (unsigned long long)(first + runs - 1),
	       (unsigned long long)tally.right, (unsigned long long)tally.wrong,
	       (unsigned long long)tally.order_matters, (unsigned long long)tally.sync_missing,
	       (unsigned long long)tally.stuck);
	/* Agreement on nothing is none. */
	return failures + (!tally.right || !tally.wrong);
}

int main(int argc, char **argv)
{
	uint64_t runs = 1000, seed = 1;
	uint32_t calls = NAIVE_CALLS;
	unsigned failures = 0;
	bool relaxed = false;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--runs") && i + 1 < argc)
			runs = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--calls") && i + 1 < argc)
			calls = (uint32_t)strtoul(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--quasi"))
			relaxed = true;
		else
			failures += run(argv[i], runs, seed, calls, relaxed);
	}
	return failures != 0;
}
