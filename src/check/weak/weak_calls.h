/* weak_calls.h -- a history of a replicated object: its updates, and what the results of its calls say about them.
 *
 * The object consists of keys: a register has one key, a set has one for each element.  An update sets or erases its key,
 * independently of the key's previous value.  An item is what the result of a call says about one key: that the key has a
 * certain value, is present, or is absent.  The source of an item is the last update of the key that the call has seen.
 * Counters are different: their updates are amounts, and a result is a sum of amounts.
 *
 * Calls are numbered session by session, in the order of each session.  Updates are numbered key by key; the updates of a
 * key have the order of their calls.
 */
#ifndef LP_CHECK_WEAK_WEAK_CALLS_H
#define LP_CHECK_WEAK_WEAK_CALLS_H

#include "base/vec.h"
#include "check/history/problem.h"

enum {
	LP_NO_UPDATE = UINT32_MAX,
	LP_INITIALLY = UINT32_MAX - 1, /* as a source: the call has seen no update on the key */
	LP_OPEN = UINT32_MAX - 2,      /* as a source: not decided yet */
	LP_ANY_KEY = UINT32_MAX,       /* as the key of an item: the item says that some key is present */
};

struct lp_weak_update {
	uint32_t call, key, session;
	uint32_t place; /* its index among the updates of its session */
	bool erases;    /* it erases the key; false: it sets the key to `value` */
	bool is_pending;
	int64_t value;  /* the amount, if the object is a counter */
};

struct lp_weak_item {
	uint32_t call;
	uint32_t key; /* a key, or LP_ANY_KEY */
	/* The possible sources are by_value[from[i]] .. by_value[to[i] - 1] for i = 0 and 1, and also LP_INITIALLY if
	 * `initially` is set.  For LP_ANY_KEY the possible sources are all updates that do not erase. */
	uint32_t from[2], to[2];
	bool initially;
};

struct lp_weak_call {
	uint32_t op;      /* the operation of the problem */
	uint32_t session;
	uint32_t update;  /* the update that the call makes, or LP_NO_UPDATE */
	uint32_t items, first_item; /* the number of its items, and the index of the first one */
	bool sums;        /* the result is a sum of amounts */
	int64_t sum;      /* this sum, which includes `own` and the initial value */
	int64_t own;      /* the amount of the call itself, if its result includes it; otherwise 0 */
	bool is_final;    /* the condition requires that the call has seen all updates that returned (lp_weak.settles) */
};

struct lp_weak_calls {
	struct lp_weak_call *calls;
	uint32_t count;
	uint32_t *first_call; /* by session, with one more entry at the end */
	uint32_t sessions;
	struct {
		LP_VEC(struct lp_weak_update);
	} updates;
	uint32_t *first_update; /* by key, with one more entry at the end */
	uint32_t keys;
	uint32_t *session_first; /* by session, with one more entry at the end: the index of its first entry in
				  * `session_updates` */
	uint32_t *session_updates;
	uint32_t *by_value; /* updates, sorted by key, then by whether they erase the key, then by value */
	struct {
		LP_VEC(struct lp_weak_item);
	} items;
	int64_t initial;   /* the initial value of a counter */
	int64_t modulus;   /* a counter counts modulo this number; 0: it does not */
	bool is_partial;   /* some result could not be turned into items, so the answer "correct" may be wrong */
	bool is_ambiguous; /* some item has several possible sources */
};

/* Converts a history.  Only the results of session `only` are used; LP_NO_OP: the results of all sessions. */
void lp_weak_calls_open(struct lp_weak_calls *w, const struct lp_problem *p, uint32_t only);
void lp_weak_calls_close(struct lp_weak_calls *w);

/* Finds the calls that are final: those that start more than `delay` after the end of the last update that
 * returned. */
void lp_weak_calls_settle(struct lp_weak_calls *w, const struct lp_problem *p, int64_t delay);

/* Returns NULL if all methods are supported.  Otherwise writes the name of an unsupported method to `name`, which has
 * at least 32 bytes, and returns `name`. */
const char *lp_weak_calls_refuse(const struct lp_problem *p, char *name);

/* Did this call, or a later call of its session, make the update? */
static inline bool lp_weak_is_later(const struct lp_weak_calls *w, uint32_t update, uint32_t call)
{
	return w->updates.at[update].session == w->calls[call].session && w->updates.at[update].call >= call;
}

#endif
