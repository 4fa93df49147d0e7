/* facts.h -- what follows directly from a history of transactions, before any order is derived.
 *
 * A write or an append makes a version of its key; the version before all of them is the initial one.  A list shows which
 * versions came before it, so all versions of a list that were read have a known order, its spine.  Of a register only the
 * value is known, so no two writes of a key should have the same value.
 *
 * A transaction with an unknown outcome counts as committed iff a committed transaction has read something of it.  If none
 * has, it can be left out: if the history with it is right, so is the history without it, since its own reads are
 * unknown.  At a level where aborted versions may be read, it counts as aborted.
 *
 * Invariants:
 *   F1  a read is of a version that another transaction has made, or of the initial one; reads of a transaction's own
 *       versions are not listed;
 *   F2  `final` is set for the last version of a key that a transaction makes;
 *   F3  reads are sorted by transaction.
 *
 * Ownership: lp_txn_facts_close() frees them; the history must outlive them.
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

#define LP_TXN_NONE UINT32_MAX /* no transaction, no position; as a version: the initial one */

struct lp_txn_version {
	int64_t value;
	uint32_t key, txn;
	uint32_t pos;      /* in the spine of its key; or LP_TXN_NONE */
	bool final;
	bool is_ambiguous; /* another version has the same value, or the value is the initial one */
};

struct lp_txn_read {
	uint32_t txn, key, version;
	bool writes; /* the transaction also writes the key */
};

/* If there are several, the first one in this order is reported. */
enum lp_txn_flaw {
	LP_TXN_GARBAGE,      /* a value was read that no transaction wrote */
	LP_TXN_DUPLICATE,    /* an element is twice in a list */
	LP_TXN_INCOMPATIBLE, /* two lists, neither of which begins with the other */
	LP_TXN_INTERNAL,     /* a transaction does not read what it has written itself */
	LP_TXN_DIRTY_UPDATE, /* a version was made from an aborted one */
	LP_TXN_ABORTED_READ,
	LP_TXN_INTERMEDIATE_READ,
	LP_TXN_UNREPEATABLE, /* a key is read twice, and differently */
	LP_TXN_LOST_UPDATE,  /* two transactions read the same version, and both replace it */
	LP_TXN_FLAWLESS,
};

struct lp_txn_facts {
	const struct lp_history *h;
	const struct lp_txns *t;
	const struct lp_txn_level *level;
	int64_t initial;    /* of registers */
	bool *committed;
	uint8_t *is_list;   /* by key */
	struct {
		LP_VEC(struct lp_txn_version);
	} versions;
	struct lp_hash_index by_value; /* of the versions, by key and value */
	uint32_t *made;       /* by operation: the version */
	struct {
		LP_VEC(struct lp_txn_read);
	} reads;
	uint32_t *spine_from; /* by key: where its spine begins in `spine` */
	uint32_t *spine;      /* versions */
	bool is_ambiguous;    /* some read could be of several versions, and was left out */

	enum lp_txn_flaw flaw; /* the first of those that the level forbids */
	uint32_t flawed, other, flaw_key; /* the transaction, the other one, and the key */
};

/* False if the history is inconsistent: a key is both a list and a register, or an element is appended twice. */
bool lp_txn_facts_open(struct lp_txn_facts *f, const struct lp_history *h, const struct lp_txn_level *level,
		       int64_t initial, struct lp_error *error);
void lp_txn_facts_close(struct lp_txn_facts *f);

/* The version that an operation has made. */
static inline struct lp_txn_version *lp_txn_made(const struct lp_txn_facts *f, const struct lp_txn_op *op)
{
	return &f->versions.at[f->made[op - f->t->ops.at]];
}

static inline uint32_t lp_txn_spine_length(const struct lp_txn_facts *f, uint32_t key)
{
	return f->t->keys.at[key].count;
}

#endif
