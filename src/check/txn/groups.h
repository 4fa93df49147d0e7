/* groups.h -- transactions by what they have in common: a key that they write, or a thread. */
#ifndef LP_CHECK_TXN_GROUPS_H
#define LP_CHECK_TXN_GROUPS_H

#include <stdint.h>

#include "check/sort.h"

struct lp_history;
struct lp_txn_facts;

struct lp_txn_writer {
	uint32_t key, txn;
};

/* The committed transactions that write a key at an unknown place among its versions: all that write a register, and
 * those that append elements to a list that were never read.  Sorted by key; to be freed. */
struct lp_txn_writer *lp_txn_loose_writers(const struct lp_txn_facts *f, uint32_t *count);

/* All transactions by thread, then by start; to be freed. */
struct lp_keyed *lp_txn_by_thread(const struct lp_history *h);

#endif
