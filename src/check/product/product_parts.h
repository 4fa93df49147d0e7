/* product_parts.h -- inside the product: states of the specification, ways, sets.
 *
 * A *way* is a few words: the state of the specification, followed by a code for each process,
 * P1 to P4:
 *
 *     word 0: state (32 bits), code of process 0, code of 1, ...      word 1: ...
 *
 *   P1  0: it is not in a call;
 *   P2  1 + c: its call c has not taken effect yet;
 *   P3  1 + calls + r: its call has taken effect, with the r-th of the results that were seen;
 *   P4  1 + calls + results + c: its call c has taken effect, with a result that was never seen.  This
 *       is for calls that never return, and for results that are not learnt yet.
 *
 * Codes have 4, 8 or 16 bits, as many as needed: a way of a small object is one word.
 */
#ifndef LP_CHECK_PRODUCT_PRODUCT_PARTS_H
#define LP_CHECK_PRODUCT_PRODUCT_PARTS_H

#include "base/fingerprints.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "check/product/product.h"
#include "check/quasi/relax.h"
#include "spec/spec.h"

enum { LP_WAY_WORDS = 5, LP_MOST_RESULTS = 0x3fff };

/* What some call was seen to return. */
struct lp_product_result {
	uint32_t call;
	int64_t value;
};

struct lp_product_set {
	uint32_t first, count; /* the first word in `members`, and the number of ways; ascending */
};

/* The effect of a call: the new state, and the new code of its process. */
struct lp_effect {
	uint32_t state;
	uint16_t code;
};

struct lp_effects_of {
	uint32_t first, count; /* `first`: 1 + index in `effects`, or 0: not yet known */
};

/* A set of ways under construction, without duplicates. */
struct lp_gathering {
	struct { LP_VEC(uint64_t); } ways;   /* p->words each */
	struct { LP_VEC(uint8_t); } marks;   /* by way; the caller defines what they mean */
	struct { LP_VEC(uint32_t); } places; /* by way: its place in the table */
	uint32_t *table, room;
};

#define LP_NOT_ALIKE UINT8_MAX

struct lp_alike {
	uint8_t before[LP_PRODUCT_THREADS]; /* by process: the one before it that is alike; LP_NOT_ALIKE if there is none */
	bool any;
};

struct lp_product {
	const struct lp_spec *spec;
	const struct lp_product_call *calls;
	uint32_t threads, call_count;
	const struct lp_quasi *rule; /* quasi factors; or NULL */
	bool doubts;            /* not all possible results may be known */

	struct { LP_VEC(struct lp_state); } before; /* possible states after the calls before the processes */
	struct { LP_VEC(struct lp_product_result); } results;
	struct { LP_VEC(uint32_t); } *seen; /* by call: results */

	/* product_spec.c */
	struct { LP_VEC(struct lp_state); } states;
	struct { LP_VEC(uint64_t); } state_hashes;
	struct lp_hash_index by_state;
	struct { LP_VEC(struct lp_effect); } effects;
	struct { LP_VEC(struct lp_effects_of); } effects_of; /* by state and call */
	struct { LP_VEC(uint32_t); } reached; /* scratch: the states that the current call leads to */
	struct lp_state scratch;
	struct lp_relax relax;
	struct { LP_VEC(struct lp_relax_event); } events; /* the results, as `relax` needs them */
	struct lp_fingerprints hopeless; /* relaxed states whose owed calls cannot all be made */

	/* product_sets.c */
	uint32_t bits, words; /* the number of bits of a code, and of words of a way */
	struct { LP_VEC(struct lp_product_set); } sets;
	struct { LP_VEC(uint64_t); } members;
	struct lp_hash_index by_set;
	struct { LP_VEC(uint64_t); } looks; /* by set and process; 0: not yet known */
	struct { LP_VEC(uint8_t); } alikes; /* by set and process (product_alike.c) */
	struct lp_product_step {
		uint64_t what; /* lp_step_name(); never 0 */
		uint32_t set, next;
	} *steps;
	uint32_t step_room, step_count;
	struct lp_gathering gathering;
	struct lp_alike alike; /* processes of the set that the gathering is about */
	struct { LP_VEC(uint64_t); } found; /* ways of the set under construction */
	uint64_t ways_made;
};

static inline uint32_t lp_code_pending(uint32_t call) { return 1 + call; }

static inline uint32_t lp_code_done(const struct lp_product *p, uint32_t result)
{
	return 1 + p->call_count + result;
}

static inline uint32_t lp_code_open(const struct lp_product *p, uint32_t call)
{
	return 1 + p->call_count + p->results.count + call;
}

static inline bool lp_code_is_pending(const struct lp_product *p, uint32_t code)
{
	return code - 1 < p->call_count;
}

static inline uint32_t lp_way_state(const uint64_t *way) { return (uint32_t)way[0]; }

static inline uint32_t lp_way_code(const struct lp_product *p, const uint64_t *way, uint32_t thread)
{
	const uint32_t at = 32 + thread * p->bits;

	return (uint32_t)(way[at / 64] >> at % 64) & ((1u << p->bits) - 1);
}

static inline void lp_way_set_code(const struct lp_product *p, uint64_t *way, uint32_t thread,
				   uint32_t code)
{
	const uint32_t at = 32 + thread * p->bits;
	const uint64_t mask = (uint64_t)((1u << p->bits) - 1) << at % 64;

	way[at / 64] = (way[at / 64] & ~mask) | (uint64_t)code << at % 64;
}

/* ---- product_spec.c: the specification ---- */

uint32_t lp_product_state(struct lp_product *, const struct lp_state *); /* its number */
/* The number of a result of the call; `*learnt` is set if the result is new. */
uint32_t lp_product_result(struct lp_product *, uint32_t call, int64_t value, bool *learnt);
/* Calls `then` for every state that the call can lead to with that result (NULL: any).  Returns
 * LP_ACCEPTS if there is one, otherwise the specification's last answer. */
enum lp_answer lp_product_after(struct lp_product *, uint32_t state, const struct lp_product_call *,
				const int64_t *result,
				void (*then)(struct lp_product *, void *, uint32_t), void *closure);
/* All effects that the call can have; valid until the next call of this function. */
void lp_product_work_out(struct lp_product *, uint32_t state, uint32_t call);
static inline const struct lp_effect *lp_product_effects(struct lp_product *p, uint32_t state,
							 uint32_t call, uint32_t *count)
{
	const uint32_t at = state * p->call_count + call;

	if (at >= p->effects_of.count || !p->effects_of.at[at].first)
		lp_product_work_out(p, state, call);
	*count = p->effects_of.at[at].count;
	return p->effects.at + p->effects_of.at[at].first - 1;
}
void lp_product_forget_effects(struct lp_product *);

/* ---- product_sets.c: ways and sets ---- */

void lp_product_lay_out(struct lp_product *); /* chooses the width of codes for the current number of results */
void lp_gathering_clear(struct lp_gathering *);
void lp_gathering_close(struct lp_gathering *);
/* The number of the way; a new one has no marks. */
uint32_t lp_gathering_add(const struct lp_product *, struct lp_gathering *, const uint64_t *way);
static inline const uint64_t *lp_gathering_way(const struct lp_product *p,
					       const struct lp_gathering *g, uint32_t i)
{
	return g->ways.at + (size_t)i * p->words;
}

/* lp_product_find() adds a way, which must be new, to the set under construction.  lp_product_found()
 * completes the set and returns its number, LP_PRODUCT_WRONG if it has no ways. */
void lp_product_find(struct lp_product *, const uint64_t *way);
uint32_t lp_product_found(struct lp_product *);
static inline const uint64_t *lp_set_way(const struct lp_product *p, uint32_t set, uint32_t i)
{
	return p->members.at + p->sets.at[set].first + (size_t)i * p->words;
}

/* Remembered steps: lp_product_known() is NULL if the step was not taken before. */
enum { LP_STEP_CALLS = 1, LP_STEP_RETURNS, LP_STEP_WITHIN, LP_STEP_RENAME };
const uint32_t *lp_product_known(const struct lp_product *, uint32_t set, uint64_t what);
uint32_t lp_product_remember(struct lp_product *, uint32_t set, uint64_t what, uint32_t next);
static inline uint64_t lp_step_name(unsigned kind, uint32_t thread, uint64_t argument)
{
	return argument << 8 | (uint64_t)thread << 3 | kind;
}

void lp_product_forget_sets(struct lp_product *);

/* ---- product_alike.c: processes that are interchangeable in a set ---- */

/* All processes but one (or LP_NOT_ALIKE) that are alike in the set. */
void lp_alike_find(struct lp_product *, uint32_t set, uint32_t but, struct lp_alike *);
/* Brings the way into its normal form. */
void lp_alike_sort(const struct lp_product *, const struct lp_alike *, uint64_t *way);
/* By process, a mask of codes: each gets those of its class. */
void lp_alike_spread(const struct lp_product *, const struct lp_alike *, uint64_t *codes);
/* lp_product_find() for the way and all its permutations. */
void lp_alike_find_all(struct lp_product *, const struct lp_alike *, uint64_t *way);

#endif
