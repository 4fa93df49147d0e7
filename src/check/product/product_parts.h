/* product_parts.h -- inside the product: states of the specification, ways, shapes, sets.
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
 *
 * Two processes are *alike* in a set if exchanging them in all of its ways gives the same set.  A *shape* is a set up to the
 * numbers of processes and up to exchanges of processes that are alike.  Its ways do not speak of processes but of *seats*, S1 to S3; a set
 * is a shape with a seat for each process, S4.
 *
 *   S1  The seats of processes that are alike, a *class*, are adjacent.  Classes are as large as possible.
 *   S2  Classes are in ascending order of their looks (lp_product_look()).
 *   S3  Of ways that differ only by a permutation within classes, there is one: the codes of each class ascend (its normal form).
 *   S4  Within a class, processes sit in ascending order.  Classes with the same look are in the order of their first processes.
 *
 * So equal sets have the same shape and the same seats, and both are hash-consed.  Steps are worked out once for a shape: there are
 * far fewer shapes than sets (the counter of size 4 with 8 threads has 177,727 sets of 9,108 shapes), and their ways are few.
 */
#ifndef LP_CHECK_PRODUCT_PRODUCT_PARTS_H
#define LP_CHECK_PRODUCT_PRODUCT_PARTS_H

#include "base/fingerprints.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "check/product/product.h"
#include "check/product/spec_states.h"
#include "check/quasi/relax.h"
#include "spec/spec.h"

enum { LP_WAY_WORDS = 5, LP_MOST_RESULTS = 0x3fff };

/* What some call was seen to return. */
struct lp_product_result {
	uint32_t call;
	int64_t value;
};

struct lp_set_shape {
	uint32_t first, count; /* the first word in `members`, and the number of ways; ascending */
	uint32_t starts;       /* a bit for each seat that is the first of its class */
	bool tied;             /* classes have the same look */
	uint64_t ways;         /* with all permutations */
};

/* A number below 16 for each seat or process, 4 bits each. */
typedef uint64_t lp_seats;
_Static_assert(LP_PRODUCT_THREADS <= 16, "seats have 4 bits");

struct lp_product_set {
	lp_seats seats; /* by process */
	uint32_t shape;
	uint32_t overlapped; /* a bit for each process whose call another one has overlapped; 0 unless p->contended */
};

/* A step of a shape: the shape after it (or LP_PRODUCT_WRONG), and by seat the seat there. */
struct lp_product_move {
	lp_seats to;
	uint32_t shape;
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
	uint32_t *table, room; /* not a hash_index.h: it is cleared very often, which must cost what was gathered */
};

#define LP_NOT_ALIKE UINT8_MAX

struct lp_alike {
	uint8_t before[LP_PRODUCT_THREADS]; /* by seat: the one before it of the same class; LP_NOT_ALIKE if there is none */
	bool any;
};

/* Remembered steps: of a shape, or of two shapes. */
struct lp_product_step {
	uint64_t what;
	uint32_t shape, other; /* other: a shape, or LP_STEP_... */
	uint32_t next;         /* a move; or whether it is within the other */
	bool taken;            /* false: this place is free */
};
enum { LP_STEP_CALLS = INT32_MAX - 2, LP_STEP_RETURNS, LP_STEP_ORDER };

/* What calls do to states of the specification (product_spec.c). */
struct lp_product_effects {
	struct lp_spec_states states;
	struct { LP_VEC(struct lp_effect); } all;
	struct { LP_VEC(struct lp_effects_of); } of; /* by state and call */
	struct { LP_VEC(uint32_t); } reached; /* scratch: the states that the current call leads to */
	struct lp_state scratch;
	struct lp_relax relax;
	struct { LP_VEC(struct lp_relax_event); } events; /* the results, as `relax` needs them */
	struct lp_fingerprints hopeless; /* relaxed states whose owed calls cannot all be made */
};

/* The sets and shapes that were met (product_sets.c, product_shapes.c). */
struct lp_product_known {
	struct { LP_VEC(struct lp_product_set); } sets;
	struct lp_hash_index by_set;
	struct { LP_VEC(struct lp_set_shape); } shapes;
	struct lp_hash_index by_shape;
	struct { LP_VEC(uint64_t); } members; /* the ways of all shapes */
	struct { LP_VEC(uint64_t); } looks;   /* by shape and seat */
	uint64_t ways_made;
};

/* The steps that were taken (product_sets.c). */
struct lp_product_taken {
	struct lp_product_step *steps; /* open addressing in one piece: each transition of a search looks here first */
	uint32_t room, count;
	struct { LP_VEC(struct lp_product_move); } moves;
};

/* The shape under construction. */
struct lp_product_draft {
	struct { LP_VEC(uint64_t); } ways;
	struct lp_gathering gathering;
	struct lp_alike alike;
};

struct lp_product {
	const struct lp_spec *spec;
	const struct lp_product_call *calls;
	uint32_t threads, call_count;
	const struct lp_quasi *rule; /* quasi factors; or NULL */
	bool contended;         /* a call may fail if another one overlaps that does not only read */
	bool doubts;            /* not all possible results may be known */

	struct { LP_VEC(struct lp_state); } before; /* possible states after the calls before the processes */
	struct { LP_VEC(struct lp_product_result); } results;
	struct { LP_VEC(uint32_t); } *seen; /* by call: results */

	struct lp_product_effects effect;
	uint32_t bits, words; /* the number of bits of a code, and of words of a way */
	struct lp_product_known known;
	struct lp_product_taken taken;
	struct lp_product_draft draft;
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

	if (at >= p->effect.of.count || !p->effect.of.at[at].first)
		lp_product_work_out(p, state, call);
	*count = p->effect.of.at[at].count;
	return p->effect.all.at + p->effect.of.at[at].first - 1;
}
void lp_product_forget_effects(struct lp_product *);

/* ---- product_sets.c: ways and sets ---- */

void lp_product_lay_out(struct lp_product *); /* chooses the width of codes for the current number of results */
uint64_t lp_product_hash(const uint64_t *at, size_t words);
void lp_gathering_clear(struct lp_gathering *);
void lp_gathering_close(struct lp_gathering *);
/* The number of the way; a new one has no marks. */
uint32_t lp_gathering_add(const struct lp_product *, struct lp_gathering *, const uint64_t *way);
static inline const uint64_t *lp_gathering_way(const struct lp_product *p,
					       const struct lp_gathering *g, uint32_t i)
{
	return g->ways.at + (size_t)i * p->words;
}

static inline uint32_t lp_seat(lp_seats seats, uint32_t i) { return seats >> 4 * i & 15; }

static inline lp_seats lp_seat_is(uint32_t i, uint32_t seat) { return (lp_seats)seat << 4 * i; }

/* The number of the set; processes of a class may be in any order. */
uint32_t lp_product_set(struct lp_product *, struct lp_product_set);
/* The set, whose shape is not used, after a move. */
uint32_t lp_product_moved(struct lp_product *, uint32_t move, struct lp_product_set);

/* lp_product_known() is NULL if the step was not taken before. */
const struct lp_product_step *lp_product_known(const struct lp_product *, uint32_t shape, uint32_t other, uint64_t what);
uint32_t lp_product_remember(struct lp_product *, uint32_t shape, uint32_t other, uint64_t what, uint32_t next);

void lp_product_forget_sets(struct lp_product *);

/* ---- product_shapes.c: sets up to the numbers of processes ---- */

/* lp_product_find() adds a way, which must be new and in its normal form, to the shape under construction.  lp_product_found()
 * completes the shape, whose seats are alike as given, or more so.  Returns the number of the move. */
void lp_product_find(struct lp_product *, const uint64_t *way);
uint32_t lp_product_found(struct lp_product *, const struct lp_alike *);
/* The shape with its seats in another order: seat i becomes to[i]; classes stay together. */
uint32_t lp_shape_order(struct lp_product *, uint32_t shape, lp_seats to);
void lp_product_forget_shapes(struct lp_product *);

static inline const uint64_t *lp_shape_way(const struct lp_product *p, uint32_t shape, uint32_t i)
{
	return p->known.members.at + p->known.shapes.at[shape].first + (size_t)i * p->words;
}

/* The first seat of the class. */
static inline uint32_t lp_shape_class(const struct lp_set_shape *shape, uint32_t seat)
{
	return 31 - (uint32_t)__builtin_clz(shape->starts & ((2u << seat) - 1));
}

/* ---- product_gather.c: what ways can become ---- */

enum { LP_BELOW = 1 }; /* a mark: another way of the gathering can become it */

/* A process of a set, and the shape that it is in.  It has been given the first seat of its class. */
struct lp_seated {
	struct lp_product_set set;
	uint32_t seat;
};

/* All that the ways of the shape are or can become. */
void lp_gather_all(struct lp_product *, uint32_t shape);
/* Is the way one of these?  It need not be in its normal form. */
bool lp_gather_toward(struct lp_product *, uint32_t shape, const uint64_t *way);
/* The call of the process has taken effect with that code: every way in which it can have, others having before it.  Where others do after
 * it, they can do so later, too: a way that another can become is LP_BELOW it.  If it is excused, it may have failed without effect. */
void lp_gather_returns(struct lp_product *, const struct lp_seated *, uint32_t done, bool excused);

/* ---- product_alike.c: processes that are interchangeable in a set ---- */

/* The seats of the shape.  One of them (or LP_NOT_ALIKE) is the first of its class, and counts as alike to none. */
void lp_alike_of(const struct lp_product *, const struct lp_set_shape *, uint32_t but, struct lp_alike *);
/* By seat, the first of its class. */
void lp_alike_classes(const struct lp_product *, const struct lp_alike *, uint8_t *class_of);
/* Brings the way into its normal form. */
void lp_alike_sort(const struct lp_product *, const struct lp_alike *, uint64_t *way);
/* By seat, a mask of codes: each gets those of its class. */
void lp_alike_spread(const struct lp_product *, const struct lp_alike *, uint64_t *codes);

#endif
