/* facts.h -- what follows directly from a history of transactions, before any order of transactions is derived.
 *
 * Every write or append creates a new version of its key.  Each key also has an initial version, which precedes all others.
 * A key is either a list or a register:
 *
 *     list      a read returns all elements appended so far, and so shows which versions came earlier.  All versions that
 *               were read are therefore ordered.  This order is called the spine of the key.
 *     register  a read returns only the current value.  If two writes to a key have the same value, a read of that value is
 *               ambiguous.
 *
 * At read uncommitted, where aborted versions may be read, a transaction whose outcome is unknown counts as aborted.  At all
 * other levels it counts as committed if and only if some committed transaction has read one of its versions.  If it does not
 * count as committed, it can be left out.  The reason is that the results of its own reads are unknown: so if the history
 * with the transaction is accepted, the history without it is accepted, too.
 *
 * Invariants:
 *   F1  `reads` has no reads of versions that the reading transaction created itself: each read is of the initial version
 *       or of a version that another transaction created;
 *   F2  `final` is set for the last version of a key that a transaction creates;
 *   F3  `reads` is sorted by transaction.
 *
 * Ownership: lp_txn_facts_close() frees the facts.  The history must outlive them.
 */
#ifndef LP_CHECK_TXN_FACTS_H
#define LP_CHECK_TXN_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "base/vec.h"
#include "history/txns.h"

struct lp_error;
struct lp_history;
struct lp_txn_level;

#define LP_TXN_NONE UINT32_MAX /* no transaction, or no position; for a version: the initial one */

struct lp_txn_version {
	int64_t value;
	uint32_t key, txn;
	uint32_t pos;      /* its index in the spine of its key; LP_TXN_NONE: it is not in the spine */
	bool final;        /* see F2 */
	bool is_ambiguous; /* another version of the key has the same value, or the value is the initial one */
};

struct lp_txn_read {
	uint32_t txn, key, version;
	bool writes; /* the transaction also writes the key */
};

/* If a history has several flaws, the one that comes first in this list is reported. */
enum lp_txn_flaw {
	LP_TXN_GARBAGE,      /* a value that no transaction wrote was read */
	LP_TXN_DUPLICATE,    /* a list contains an element twice */
	LP_TXN_INCOMPATIBLE, /* two lists were read, neither of which is a prefix of the other */
	LP_TXN_INTERNAL,     /* a transaction does not read its own writes */
	LP_TXN_DIRTY_UPDATE, /* a version was made from an aborted one */
	LP_TXN_ABORTED_READ, /* a version of an aborted transaction was read */
	LP_TXN_INTERMEDIATE_READ, /* a version was read that its own transaction replaced */
	LP_TXN_UNREPEATABLE, /* a transaction reads a key twice, with different results */
	LP_TXN_LOST_UPDATE,  /* two transactions read the same version, and both replace it */
	LP_TXN_FLAWLESS,
};

struct lp_txn_facts {
	const struct lp_history *h;
	const struct lp_txns *t;
	const struct lp_txn_level *level;
	int64_t initial;    /* the initial value of registers */
	bool *committed;
	uint8_t *is_list;   /* by key */
	struct {
		LP_VEC(struct lp_txn_version);
	} versions;
	struct lp_hash_index by_value; /* indexes `versions` by key and value */
	uint32_t *made;       /* by operation: the index of the version that it created */
	struct {
		LP_VEC(struct lp_txn_read);
	} reads;
	uint32_t *spine_from; /* by key: where its spine begins in `spine` */
	uint32_t *spine;      /* indices of versions, key after key */
	bool is_ambiguous;    /* some read matches several versions; such a read is not among `reads` */

	enum lp_txn_flaw flaw; /* the first flaw that the level forbids, or LP_TXN_FLAWLESS */
	uint32_t flawed, other, flaw_key; /* the transaction with the flaw, the other transaction involved, and the key */
};

/* Derives the facts.  Returns false, with a message in `error`, if the history cannot be interpreted: a key is both a list
 * and a register, or an element is appended twice. */
bool lp_txn_facts_open(struct lp_txn_facts *f, const struct lp_history *h, const struct lp_txn_level *level,
		       int64_t initial, struct lp_error *error);
void lp_txn_facts_close(struct lp_txn_facts *f);

/* Returns the version that a write or an append created. */
static inline struct lp_txn_version *lp_txn_made(const struct lp_txn_facts *f, const struct lp_txn_op *op)
{
	return &f->versions.at[f->made[op - f->t->ops.at]];
}

/* Returns the number of versions in the spine of a key. */
static inline uint32_t lp_txn_spine_length(const struct lp_txn_facts *f, uint32_t key)
{
	return f->t->keys.at[key].count;
}

#endif
