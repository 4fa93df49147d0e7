/* facts.h -- what a history of transactions says, before anything is put in order.
 *
 * A write or an append makes a version of its key; what was there before is the initial one.  A list says which versions
 * came before it, so that all that were read of a list are in a known order, its spine.  Of registers only the value
 * is known, so that no two writes of a key should have the same.
 *
 * A transaction whose outcome is not known committed iff something of it was read by one that did: if nothing was, a
 * history in which it committed is one, too, if it is left out (and what it has read is not known).  Where even what was
 * aborted may be read, it never did.
 *
 * Invariants:
 *   F1  a read is of a version that another transaction has made, or of the initial one; what a transaction reads
 *       of its own is not among them;
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
	bool is_ambiguous; /* another one has the same value, or it looks like the initial one */
};

struct lp_txn_read {
	uint32_t txn, key, version;
	bool writes; /* the transaction also writes the key */
};

/* In the order in which they are told, if there are several. */
enum lp_txn_flaw {
	LP_TXN_GARBAGE,      /* read, but written by none */
	LP_TXN_DUPLICATE,    /* an element is twice in a list */
	LP_TXN_INCOMPATIBLE, /* two lists, neither of which begins with the other */
	LP_TXN_INTERNAL,     /* a transaction does not read what it has written itself */
	LP_TXN_DIRTY_UPDATE, /* a version was made of one that was aborted */
	LP_TXN_ABORTED_READ,
	LP_TXN_INTERMEDIATE_READ,
	LP_TXN_UNREPEATABLE, /* a key is read twice, and differently */
	LP_TXN_LOST_UPDATE,  /* two read the same version, and both make another of it */
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
	uint32_t *spine_from; /* by key: where the versions of its spine are */
	uint32_t *spine;      /* versions */
	bool is_ambiguous;    /* some read could be of several versions, and was left out */

	enum lp_txn_flaw flaw; /* the first of those that the level forbids */
	uint32_t flawed, other, flaw_key; /* which transaction, with which other, on which key */
};

/* False if it does not make sense: a key that is a list and a register, an element appended twice. */
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
