/* groups.h -- lists of transactions: by the keys that they write, and by thread. */
#ifndef LP_CHECK_TXN_GROUPS_H
#define LP_CHECK_TXN_GROUPS_H

#include <stdint.h>

#include "check/sort.h"

struct lp_history;
struct lp_txn_facts;

struct lp_txn_writer {
	uint32_t key, txn;
};

/* Returns, for each key, the committed transactions that create a version of the key whose place among the versions is
 * unknown: transactions that write a register, and transactions that append an element to a list if no read has shown the
 * element.  The result is sorted by key; the caller frees it. */
struct lp_txn_writer *lp_txn_loose_writers(const struct lp_txn_facts *f, uint32_t *count);

/* Returns all transactions, sorted by thread and then by start; the caller frees them. */
struct lp_keyed *lp_txn_by_thread(const struct lp_history *h);

#endif
