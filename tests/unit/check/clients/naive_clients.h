/* naive_clients.h -- clients.h straight from its definitions, for up to five calls.
 *
 * Every order of the class is looked at, and every permutation of the calls.  Nothing of
 * src/check is used but the types.
 */
#ifndef LP_TESTS_NAIVE_CLIENTS_H
#define LP_TESTS_NAIVE_CLIENTS_H

#include "check/clients/clients.h"
#include "check/quasi/quasi.h"
#include "spec/spec.h"

enum { NAIVE_CALLS = 5 };

/* What is known already: of permutations of calls, for one specification and the same
 * factors; and of the present observation, which orders are possible. */
struct naive_memo;
struct naive_memo *naive_memo_open(void);
void naive_memo_close(struct naive_memo *);

/* If not, neither is the order possible, nor one that contains it.  With the closure of the observation. */
typedef bool naive_hopeful(void *closure, const uint32_t *before);

/* From now on it is about this observation.  Orders that contain one that is not hopeful (NULL: all are)
 * are asked for only if `asks_all` is set. */
void naive_memo_next(struct naive_memo *, const struct lp_observation *, naive_hopeful *, bool asks_all);

/* Was one of those possible? */
bool naive_memo_hoped_wrongly(const struct naive_memo *);

struct naive_question {
	const struct lp_spec *spec;
	enum lp_order_class class;
	uint32_t length; /* LP_ORDERS_INTERVALS */
	enum lp_sync sync;
	const struct lp_quasi *quasi; /* NULL, or how close is close enough */
	const struct lp_observation *o;
	struct naive_memo *memo; /* NULL, or one that is about `o` */
};

/* The order that the client has anyway: could the client have had it? */
bool naive_given_possible(const struct lp_observation *);

bool naive_right(const struct naive_question *);

/* Is it one of these methods of built-in kinds, as in "queue.dequeue stack.pop"?  By name, so that nothing rests on what the
 * kinds say about their methods. */
bool naive_is(const struct lp_spec *, const struct lp_method *, const char *list);

/* The result in the form that the method has for it. */
int64_t naive_result(const struct lp_method *, const struct lp_observed *);

/* Is that a reason why it is wrong?  NULL if so; else what is the matter with it. */
const char *naive_objection(const struct naive_question *, const struct lp_refutation *);

#endif
