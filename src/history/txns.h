/* txns.h -- what the transactions of a history did.
 *
 * In a history of transactions every call is one: struct lp_call has its times, thread and line, and
 * lp_txns.at[i] what call i did.  An operation is a read or a write of a register, or an append to a list or a read of
 * one, on a key.  A transaction committed, aborted, or it is not known which.
 *
 * Reads of lists repeat each other: all that a key's lists have in common is there once.
 *
 * Invariants:
 *   X1  there are as many transactions as calls;
 *   X2  the spine of a key is the longest list of its reads that has the longest lists before it as beginnings; a read
 *       whose list is a beginning of it is `on_spine`, any other has its elements in `odd` from `value` on;
 *   X3  only what is read by a transaction that committed is known.
 *
 * Ownership: that of the history; a zeroed one is empty.
 */
#ifndef LP_HISTORY_TXNS_H
#define LP_HISTORY_TXNS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/hash_index.h"
#include "base/vec.h"

struct lp_history;

enum lp_txn_action { LP_TXN_READ, LP_TXN_WRITE, LP_TXN_APPEND };
enum lp_txn_outcome { LP_TXN_COMMITTED, LP_TXN_ABORTED, LP_TXN_UNKNOWN };

struct lp_txn_op {
	int64_t value;   /* read of a register, written, or appended; list that is odd: its first element */
	uint32_t key;    /* index into `keys` */
	uint32_t length; /* of the list that was read */
	uint8_t action;
	bool is_list;    /* a read that gave a list */
	bool on_spine;
	bool is_known;   /* a read: what it gave */
};

struct lp_txn {
	uint32_t first, count; /* its operations */
	uint8_t outcome;
};

struct lp_txn_key {
	int64_t name;
	LP_VEC(int64_t); /* the spine */
};

struct lp_txns {
	LP_VEC(struct lp_txn);
	struct lp_txn_ops {
		LP_VEC(struct lp_txn_op);
	} ops;
	struct {
		LP_VEC(struct lp_txn_key);
	} keys;
	struct lp_txn_elements {
		LP_VEC(int64_t);
	} odd;
	struct lp_hash_index by_name; /* of the keys */

	/* A transaction that is being read: its lists are in `elements`. */
	struct lp_txn_ops draft;
	struct lp_txn_elements elements;
};

void lp_txns_close(struct lp_txns *t); /* NULL is fine */

uint32_t lp_txns_key(struct lp_txns *t, int64_t name);

/* The draft is what transaction `id` did, and is empty afterwards; `id` is new, or the outcome was unknown so far. */
void lp_txns_set(struct lp_txns *t, uint32_t id, enum lp_txn_outcome outcome);

/* Element `i` of a list that was read. */
static inline int64_t lp_txns_element(const struct lp_txns *t, const struct lp_txn_op *op, uint32_t i)
{
	return op->on_spine ? t->keys.at[op->key].at[i] : t->odd.at[op->value + i];
}

/* "append x 1, r y [1 2]"; long lists are shortened. */
void lp_txns_print(const struct lp_history *h, uint32_t id, FILE *to);
/* One of its operations. */
void lp_txns_print_op(const struct lp_history *h, const struct lp_txn_op *op, FILE *to);
/* [["append","x",1],["r","y",[1,2]]] */
void lp_txns_print_json(const struct lp_history *h, uint32_t id, FILE *to);

#endif
