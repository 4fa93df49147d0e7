/* relation.h -- relations and sets on a few hundred elements, as bits.
 *
 * A relation on 0 .. count-1 is a square matrix: row a has the bit b iff a is
 * related to b.  Axioms can be evaluated as they are written:
 *
 *     fr = rf^-1 ; co                 lp_relation_inverse(inv, rf);
 *                                     lp_relation_compose(fr, inv, co);
 *     acyclic (po | rf | co | fr)     lp_relation_union(po, rf); ...
 *                                     lp_relation_acyclic(po, arena, &cycle);
 *
 * Invariant: bits from `count` on are zero in every row and set.
 *
 * The operands of an operation have the same count.  The result is written to the first operand.  If this parameter is called
 * `into`, it must differ from the other operands.
 *
 * Ownership: sets and relations live in the arena given to their constructor; they are not protected against concurrent use.
 */
#ifndef LP_BASE_RELATION_H
#define LP_BASE_RELATION_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_arena;

struct lp_set {
	uint32_t count;  /* elements are below this number */
	uint32_t words;
	uint64_t bits[]; /* `words` words */
};

struct lp_relation {
	uint32_t count;
	uint32_t words;  /* in each row */
	uint64_t bits[]; /* row after row */
};

/* Allocates an empty set or relation. */
struct lp_set *lp_set_new(struct lp_arena *, uint32_t count);
struct lp_relation *lp_relation_new(struct lp_arena *, uint32_t count);

static inline void lp_set_add(struct lp_set *s, uint32_t a)
{
	assert(a < s->count);
	s->bits[a / 64] |= UINT64_C(1) << a % 64;
}

static inline bool lp_set_has(const struct lp_set *s, uint32_t a)
{
	assert(a < s->count);
	return s->bits[a / 64] >> a % 64 & 1;
}

static inline uint64_t *lp_relation_row(struct lp_relation *r, uint32_t a)
{
	assert(a < r->count);
	return r->bits + (size_t)a * r->words;
}

static inline const uint64_t *lp_relation_row_of(const struct lp_relation *r, uint32_t a)
{
	assert(a < r->count);
	return r->bits + (size_t)a * r->words;
}

static inline void lp_relation_add(struct lp_relation *r, uint32_t a, uint32_t b)
{
	assert(b < r->count);
	lp_relation_row(r, a)[b / 64] |= UINT64_C(1) << b % 64;
}

static inline bool lp_relation_has(const struct lp_relation *r, uint32_t a, uint32_t b)
{
	assert(b < r->count);
	return lp_relation_row_of(r, a)[b / 64] >> b % 64 & 1;
}

void lp_relation_copy(struct lp_relation *into, const struct lp_relation *from);
bool lp_relation_equal(const struct lp_relation *, const struct lp_relation *);

/* r | s,  r & s,  r \ s */
void lp_relation_union(struct lp_relation *r, const struct lp_relation *s);
void lp_relation_intersect(struct lp_relation *r, const struct lp_relation *s);
void lp_relation_minus(struct lp_relation *r, const struct lp_relation *s);

/* r | id,  r \ id */
void lp_relation_add_identity(struct lp_relation *r);
void lp_relation_drop_identity(struct lp_relation *r);

/* r ; s: first r, then s.    r^-1 */
void lp_relation_compose(struct lp_relation *into, const struct lp_relation *r,
			 const struct lp_relation *s);
void lp_relation_inverse(struct lp_relation *into, const struct lp_relation *r);

/* [domain] ; r ; [range].  A `domain` or `range` that is NULL stands for all elements. */
void lp_relation_restrict(struct lp_relation *r, const struct lp_set *domain,
			  const struct lp_set *range);

/* The transitive closure r+.  It takes at most count * count * words steps. */
void lp_relation_close(struct lp_relation *r);

/* at[0] -> at[1] -> ... -> at[count-1] -> at[0] */
struct lp_cycle {
	const uint32_t *at;
	uint32_t count;
};

bool lp_relation_irreflexive(const struct lp_relation *);

/* Is `r` acyclic?  If not, and if `why` is not NULL, stores in `*why` a shortest cycle, allocated in `out`.  Of several, it is the
 * first one in the order of elements. */
bool lp_relation_acyclic(const struct lp_relation *r, struct lp_arena *out,
			 struct lp_cycle *why);

#endif
