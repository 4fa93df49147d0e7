/* groups.h -- lists of transactions, grouped by a key that they write or by thread. */
#ifndef LP_CHECK_TXN_GROUPS_H
#define LP_CHECK_TXN_GROUPS_H

#include <stdint.h>

#include "check/sort.h"

struct lp_history;
struct lp_txn_facts;

struct lp_txn_writer {
	uint32_t key, txn;
};

/* Returns the committed transactions that write a key at an unknown place among its versions: all that write a
 * register, and those that append elements which were never read to a list.  The result is sorted by key; the caller
 * frees it. */
struct lp_txn_writer *lp_txn_loose_writers(const struct lp_txn_facts *f, uint32_t *count);

/* Returns all transactions, sorted by thread and then by start; the caller frees them. */
struct lp_keyed *lp_txn_by_thread(const struct lp_history *h);

#endif
