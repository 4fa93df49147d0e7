/* questions.c -- what both checkers of all clients are asked of an observation. */
#include "questions.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "naive_clients.h"

struct question {
	const char *name;
	enum lp_order_class class;
	enum lp_sync sync;
	bool quasi;
};

static const struct question asked[] = {
	{ "linearizable", LP_ORDERS_ALL, LP_SYNC_NONE, false },
	{ "sequential", LP_ORDERS_CHAINS, LP_SYNC_NONE, false },
	{ "quiescent", LP_ORDERS_BLOCKS, LP_SYNC_NONE, false },
	{ "serializable", LP_ORDERS_NONE, LP_SYNC_NONE, false },
	{ "quasi", LP_ORDERS_ALL, LP_SYNC_NONE, true },
	{ "sync r", LP_ORDERS_ALL, LP_SYNC_R, false },
	{ "sync ri", LP_ORDERS_ALL, LP_SYNC_RI, false },
	{ "sync rid", LP_ORDERS_ALL, LP_SYNC_RID, false },
};
enum { QUESTIONS = sizeof asked / sizeof *asked };

struct questions {
	const struct lp_spec *spec;
	struct lp_quasi quasi; /* removals are out of order by one; none: it is not asked */
	struct naive_memo *memo;
	struct lp_clients *clients[QUESTIONS]; /* NULL: not asked */
	uint64_t right[QUESTIONS], wrong[QUESTIONS];
	char failure[160];
};

/* Of values that are put in and taken out: the naive checker knows what calls may follow. */
static void find_factors(struct questions *k)
{
	const struct lp_kind *kind = k->spec->kind;
	bool any = false;

	for (uint32_t m = 0; m < kind->method_count; m++) {
		const bool removes = kind->methods[m].roles & LP_REMOVES;
		k->quasi.classes[m].methods = UINT64_C(1) << m;
		k->quasi.classes[m].factor = removes;
		any |= removes && kind->methods[m].result == LP_VALUE_OR_EMPTY;
	}
	k->quasi.count = any && !kind->by_key ? kind->method_count : 0;
}

struct questions *questions_open(const struct lp_spec *spec)
{
	struct questions *k = lp_alloc_zero(1, sizeof *k);
	const bool meets = lp_spec_has_meetings(spec);

	assert((int)LP_MOST_CALLS == (int)NAIVE_CALLS);
	k->spec = spec;
	k->memo = naive_memo_open();
	find_factors(k);
	for (int q = 0; q < QUESTIONS; q++) {
		/* Calls that meet have no places, and what they owe the naive checker does not know. */
		if ((meets && asked[q].sync != LP_SYNC_NONE) || (asked[q].quasi && (meets || !k->quasi.count)))
			continue;
		k->clients[q] = lp_clients_open(spec, asked[q].class, asked[q].sync, true);
		if (asked[q].quasi)
			lp_clients_relax(k->clients[q], &k->quasi);
	}
	return k;
}

void questions_close(struct questions *k)
{
	for (int q = 0; q < QUESTIONS; q++)
		lp_clients_close(k->clients[q]);
	naive_memo_close(k->memo);
	lp_free(k);
}

static const char *ask(struct questions *k, int q, const struct lp_observation *o,
		       const struct lp_observation *naive)
{
	const struct naive_question question = {
		.spec = k->spec, .class = asked[q].class, .sync = asked[q].sync, .o = naive,
		.quasi = asked[q].quasi ? &k->quasi : NULL, .memo = k->memo,
	};
	struct lp_refutation why;
	const bool right = lp_clients_judge(k->clients[q], o, &why) == LP_CLIENTS_RIGHT;

	k->right[q] += right;
	k->wrong[q] += !right;
	if (right != naive_right(&question))
		return right ? "right, and the naive checker says wrong" :
			       "wrong, and the naive checker says right";
	/* Reasons of calls that meet are not looked at. */
	return right || lp_spec_has_meetings(k->spec) ? NULL : naive_objection(&question, &why);
}

const char *questions_ask(struct questions *k, const struct lp_observation *o,
			  const struct lp_observation *naive,
			  bool (*hopeful)(void *closure, const uint32_t *before), bool asks_all)
{
	naive_memo_next(k->memo, naive, hopeful, asks_all);
	for (int q = 0; q < QUESTIONS; q++) {
		const char *failure = k->clients[q] ? ask(k, q, o, naive) : NULL;
		if (failure) {
			snprintf(k->failure, sizeof k->failure, "%s: %s", asked[q].name, failure);
			return k->failure;
		}
	}
	return naive_memo_hoped_wrongly(k->memo) ? "an order that contains a hopeless one is possible" : NULL;
}

void questions_print(const struct questions *k)
{
	for (int q = 0; q < QUESTIONS; q++)
		if (k->clients[q])
			printf("  %-12s %" PRIu64 " right, %" PRIu64 " wrong\n", asked[q].name, k->right[q],
			       k->wrong[q]);
}
