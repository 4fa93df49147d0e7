/* txns.h -- the operations of the transactions of a history.
 *
 * In a history of transactions every call is a transaction: struct lp_call has its times, thread and line, and
 * lp_txns.at[i] has the operations of call i.  An operation reads or writes a register, or appends to or reads a list;
 * the register or list is named by a key.  A transaction has committed or aborted, or its outcome is unknown.
 *
 * The lists that are read from one key share long prefixes.  So each key has one list, its *spine*, and most lists that are
 * read are stored as prefixes of the spine.
 *
 * Invariants:
 *   X1  there are as many transactions as calls;
 *   X2  if a list that is read extends the spine of its key, it becomes the spine.  A read whose list is a prefix of the
 *       spine has `on_spine` set; for any other list, the elements are odd[value], odd[value + 1], ...;
 *   X3  results of reads are known only in committed transactions.
 *
 * Ownership: the history owns its transactions; a zeroed struct lp_txns is empty.
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
	int64_t value;   /* the value that was read from a register, written, or appended; for a list that is not on the spine, an
			  * index into `odd` */
	uint32_t key;    /* index into `keys` */
	uint32_t length; /* the length of the list that was read */
	uint8_t action;  /* enum lp_txn_action */
	bool is_list;    /* for reads: the result is a list */
	bool on_spine;   /* for reads of lists: see X2 */
	bool is_known;   /* for reads: the result is known */
};

struct lp_txn {
	uint32_t first, count; /* its operations are `count` entries of `ops`, from index `first` on */
	uint8_t outcome;       /* enum lp_txn_outcome */
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
	} odd; /* see X2 */
	struct lp_hash_index by_name; /* finds a key by its name */

	/* The transaction that is being parsed; its lists are in `elements`. */
	struct lp_txn_ops draft;
	struct lp_txn_elements elements;
};

void lp_txns_close(struct lp_txns *t); /* NULL is fine */

/* Returns the index of the key with this name, which is added if it is new. */
uint32_t lp_txns_key(struct lp_txns *t, int64_t name);

/* Moves the operations of the draft to transaction `id`, which must be new, or have had an unknown outcome so
 * far. */
void lp_txns_set(struct lp_txns *t, uint32_t id, enum lp_txn_outcome outcome);

/* Returns element `i` of a list that was read. */
static inline int64_t lp_txns_element(const struct lp_txns *t, const struct lp_txn_op *op, uint32_t i)
{
	return op->on_spine ? t->keys.at[op->key].at[i] : t->odd.at[op->value + i];
}

/* Prints a transaction as text: "append x 1, r y [1 2]".  Long lists are shortened. */
void lp_txns_print(const struct lp_history *h, uint32_t id, FILE *to);
/* Prints one operation of a transaction. */
void lp_txns_print_op(const struct lp_history *h, const struct lp_txn_op *op, FILE *to);
/* Prints a transaction as JSON: [["append","x",1],["r","y",[1,2]]]. */
void lp_txns_print_json(const struct lp_history *h, uint32_t id, FILE *to);

#endif
