/* level.h -- isolation levels by name.
 *
 * docs/algorithms/transactions.md has the definitions.
 */
#ifndef LP_CHECK_TXN_LEVEL_H
#define LP_CHECK_TXN_LEVEL_H

#include <stdbool.h>
#include <stddef.h>

struct lp_error;

enum lp_txn_base {
	LP_TXN_READ_UNCOMMITTED,
	LP_TXN_READ_COMMITTED,
	LP_TXN_SNAPSHOT,
	LP_TXN_SERIAL,
};

struct lp_txn_level {
	const char *name;
	const char *claim; /* "strictly serializable" */
	enum lp_txn_base base;
	bool sessions;     /* transactions of a thread keep their order */
	bool realtime;     /* transactions that do not overlap keep their order */
};

/* Finds a level by its name, such as "serializable".  Returns NULL, with the error set, if
 * there is no such level. */
const struct lp_txn_level *lp_txn_level_named(const char *name, struct lp_error *error);

/* Returns the next weaker level, which `level` implies; NULL if there is none. */
const struct lp_txn_level *lp_txn_level_below(const struct lp_txn_level *level);

#endif
