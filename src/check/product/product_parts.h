/* product_parts.h -- the data structures of the product: states of the specification, ways, shapes, sets.
 *
 * A *way* is stored in a few words.  They hold the state of the specification, followed by a code for each process:
 *
 *     word 0: state (32 bits), code of process 0, code of 1, ...      word 1: ...
 *
 *   P1  0: the process is not in a call;
 *   P2  1 + c: the process is in call c, which has not taken effect yet;
 *   P3  1 + calls + r: the process is in a call that has taken effect, with the r-th of the results that were seen;
 *   P4  1 + calls + results + c: the process is in call c, which has taken effect, with a result that was never seen.  This
 *       code is for calls that never return, and for results that are not learnt yet.
 *
 * Codes have 4, 8 or 16 bits, as many as needed: a way of a small object is one word.
 *
 * Two processes are *alike* in a set if exchanging them in all of its ways gives the same set.  A *shape* is what remains of a set
 * without the numbers of processes: its ways have codes for *seats* instead of processes.  A set is a shape together with a seat for
 * each process.
 *
 *   S1  The seats of processes that are alike are adjacent, and are called a *class*.  Classes are as large as possible.
 *   S2  Classes are in ascending order of their looks (lp_product_look()); the processes of a class have the same look.
 *   S3  Of several ways that differ only by a permutation within classes, the shape contains one: the normal form, in which the codes
 *       of each class ascend.
 *   S4  Within a class, the processes have their seats in ascending order.  Classes with the same look are in the order of their first
 *       processes.
 *
 * By S1 to S4, equal sets have the same shape and the same seats.  Sets and shapes are hash-consed, and each step is computed only once for a
 * shape.  There are far fewer shapes than sets (the counter of size 4 with 8 threads has 177,727 sets and 9,108 shapes), and a shape
 * has few ways.
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

/* A result that some call was seen to return. */
struct lp_product_result {
	uint32_t call;
	int64_t value;
};

struct lp_set_shape {
	uint32_t first, count; /* the index of the shape's first word in lp_product_known.members, and the number of its ways.  The ways
				* are in ascending order */
	uint32_t starts;       /* a bit for each seat that is the first of its class */
	bool tied;             /* some classes have the same look */
	uint64_t ways;         /* the number of ways of a set with this shape.  Unlike `count`, it includes all permutations within classes */
};

/* A number below 16 for each seat or process, 4 bits each. */
typedef uint64_t lp_seats;
_Static_assert(LP_PRODUCT_THREADS <= 16, "seats have 4 bits");

struct lp_product_set {
	lp_seats seats; /* the seat of each process */
	uint32_t shape;
	uint32_t overlapped; /* a bit for each process whose open call has overlapped with a call that may change the state; always 0
			      * if p->contended is not set */
};

/* The result of a step of a shape: the next shape, or LP_PRODUCT_WRONG or LP_PRODUCT_DOUBTS; and for each old seat the new seat. */
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
	uint32_t first, count; /* `first`: 1 + the index of the first effect in lp_product_effects.all; 0: the effects are not known yet */
};

/* A set of ways under construction, without duplicates. */
struct lp_gathering {
	struct { LP_VEC(uint64_t); } ways;   /* p->words each */
	struct { LP_VEC(uint8_t); } marks;   /* for each way, marks that the caller defines */
	struct { LP_VEC(uint32_t); } places; /* for each way, its place in `table` */
	uint32_t *table, room; /* not a hash_index.h: the table is cleared very often, and the cost of that must depend on the number
			        * of ways, not on `room` */
};

#define LP_NOT_ALIKE UINT8_MAX

struct lp_alike {
	uint8_t before[LP_PRODUCT_THREADS]; /* for each seat, the seat before it in the same class; LP_NOT_ALIKE if there is none */
	bool any;
};

/* The stored result of a step of a shape, or of a comparison of two shapes. */
struct lp_product_step {
	uint64_t what;         /* the arguments of the step: seat, and call or result; or how the seats of the two shapes correspond */
	uint32_t shape, other; /* `other`: the second shape of a comparison, or the kind of step, LP_STEP_... */
	uint32_t next;         /* the index of the move; for LP_STEP_ORDER a shape; for a comparison the answer (lp_product_within()) */
	bool taken;            /* this place of the table is in use */
};
enum { LP_STEP_CALLS = INT32_MAX - 2, LP_STEP_RETURNS, LP_STEP_ORDER };

/* The effects of calls on states of the specification (product_spec.c). */
struct lp_product_effects {
	struct lp_spec_states states;
	struct { LP_VEC(struct lp_effect); } all;
	struct { LP_VEC(struct lp_effects_of); } of; /* for each state and call */
	struct { LP_VEC(uint32_t); } reached; /* used while the effects of a call are computed: the states to which the call leads */
	struct lp_state scratch;
	/* For quasi-linearizability (relax.h): the calls with their results so far, and the relaxed states whose owed calls cannot all
	 * be made. */
	struct lp_relax relax;
	struct { LP_VEC(struct lp_relax_event); } events;
	struct lp_fingerprints hopeless;
};

/* All sets and shapes so far (product_sets.c, product_shapes.c). */
struct lp_product_known {
	struct { LP_VEC(struct lp_product_set); } sets;
	struct lp_hash_index by_set;
	struct { LP_VEC(struct lp_set_shape); } shapes;
	struct lp_hash_index by_shape;
	struct { LP_VEC(uint64_t); } members; /* the words of the ways of all shapes */
	struct { LP_VEC(uint64_t); } looks;   /* for each shape, the look of each seat */
	uint64_t ways_made;                   /* the number of ways of all sets */
};

/* All steps so far (product_sets.c). */
struct lp_product_taken {
	struct lp_product_step *steps; /* a hash table in one array, for speed: each transition of an exploration looks here first */
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
	const struct lp_quasi *rule; /* the factors of quasi-linearizability; NULL: the property is linearizability */
	bool contended;         /* a call may fail if it overlaps with another call that may change the state */
	bool doubts;            /* some possible results may be unknown (LP_PRODUCT_DOUBTS) */

	struct { LP_VEC(struct lp_state); } before; /* the possible states after the calls that were made before the processes
						     * started */
	struct { LP_VEC(struct lp_product_result); } results;
	struct { LP_VEC(uint32_t); } *seen; /* for each call, the indices of its results */

	struct lp_product_effects effect;
	uint32_t bits, words; /* the number of bits of a code, and of words of a way */
	struct lp_product_known known;
	struct lp_product_taken taken;
	struct lp_product_draft draft;
};

/* The codes P2, P3 and P4. */
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

/* Returns the index of a result of the call.  Sets `*learnt` if the result is new. */
uint32_t lp_product_result(struct lp_product *, uint32_t call, int64_t value, bool *learnt);
/* Calls `then` for every state to which the call with this result can lead.  If `result` is NULL, any result is possible.  Returns
 * LP_ACCEPTS if there is such a state, and otherwise the specification's last answer. */
enum lp_answer lp_product_after(struct lp_product *, uint32_t state, const struct lp_product_call *,
				const int64_t *result,
				void (*then)(struct lp_product *, void *, uint32_t), void *closure);
/* lp_product_effects() returns all effects that the call can have in the state.  lp_product_work_out() computes and stores these
 * effects.  The returned pointer is valid until one of the two functions is called again. */
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
/* Adds a way, unless it is there already, and returns its index.  A new way has no marks. */
uint32_t lp_gathering_add(const struct lp_product *, struct lp_gathering *, const uint64_t *way);
/* Returns the i-th way; valid until a way is added. */
static inline const uint64_t *lp_gathering_way(const struct lp_product *p,
					       const struct lp_gathering *g, uint32_t i)
{
	return g->ways.at + (size_t)i * p->words;
}

/* Returns the i-th number. */
static inline uint32_t lp_seat(lp_seats seats, uint32_t i) { return seats >> 4 * i & 15; }

/* Returns seats whose i-th number is `seat`, and all others 0. */
static inline lp_seats lp_seat_is(uint32_t i, uint32_t seat) { return (lp_seats)seat << 4 * i; }

/* Returns the number of the set.  The argument may give the processes of a class their seats in any order. */
uint32_t lp_product_set(struct lp_product *, struct lp_product_set);
/* Applies a move to a set, and returns the number of the new set.  The shape of the argument is ignored. */
uint32_t lp_product_moved(struct lp_product *, uint32_t move, struct lp_product_set);

/* Look up and store the results of steps and comparisons; the arguments are the members of lp_product_step.  lp_product_known()
 * returns NULL if the result is not stored.  lp_product_remember() returns `next`. */
const struct lp_product_step *lp_product_known(const struct lp_product *, uint32_t shape, uint32_t other, uint64_t what);
uint32_t lp_product_remember(struct lp_product *, uint32_t shape, uint32_t other, uint64_t what, uint32_t next);

void lp_product_forget_sets(struct lp_product *);

/* ---- product_shapes.c: sets up to the numbers of processes ---- */

/* lp_product_find() adds a way, which must be new and in its normal form, to the shape under construction.  lp_product_found()
 * completes the shape, and returns the index of the move to it.  `alike` says which seats are known to be alike; the function finds
 * out whether more seats are alike. */
void lp_product_find(struct lp_product *, const uint64_t *way);
uint32_t lp_product_found(struct lp_product *, const struct lp_alike *);
/* Returns the shape that results if the seats of `shape` are put in another order: seat i becomes to[i].  The seats of a class must
 * stay adjacent. */
uint32_t lp_shape_order(struct lp_product *, uint32_t shape, lp_seats to);
void lp_product_forget_shapes(struct lp_product *);

static inline const uint64_t *lp_shape_way(const struct lp_product *p, uint32_t shape, uint32_t i)
{
	return p->known.members.at + p->known.shapes.at[shape].first + (size_t)i * p->words;
}

/* Returns the first seat of the class that `seat` belongs to. */
static inline uint32_t lp_shape_class(const struct lp_set_shape *shape, uint32_t seat)
{
	return 31 - (uint32_t)__builtin_clz(shape->starts & ((2u << seat) - 1));
}

/* ---- product_gather.c: what ways can become ---- */

/* A way becomes another way if one or more of its open calls take effect.  The functions gather normal forms of ways in
 * p->draft.gathering. */

enum { LP_BELOW = 1 }; /* a mark: another way of the gathering can become this one */

/* A set and the seat of one of its processes, which must be the first seat of its class. */
struct lp_seated {
	struct lp_product_set set;
	uint32_t seat;
};

/* Gathers the ways of the shape, and all ways that they can become. */
void lp_gather_all(struct lp_product *, uint32_t shape);
/* Is `way` a way of the shape, or can a way of the shape become `way`?  `way` need not be in its normal form. */
bool lp_gather_toward(struct lp_product *, uint32_t shape, const uint64_t *way);
/* The call of the process in the seat returns.  Of all ways that the ways of the set can become, gathers those in which this call
 * has taken effect and the process has the code `done`.  Other open calls may have taken effect before this call.  Ways in which
 * other calls take effect after this call are not needed, because these calls can still take effect later.  If such a way is
 * gathered nevertheless, it gets the mark LP_BELOW.  If the call is `excused`, it may also have failed without effect. */
void lp_gather_returns(struct lp_product *, const struct lp_seated *, uint32_t done, bool excused);

/* ---- product_alike.c: processes that are interchangeable in a set ---- */

/* Fills in which seats of the shape are alike.  The seat `but`, which must be the first of its class, counts as alike to no other
 * seat; LP_NOT_ALIKE: there is no such exception. */
void lp_alike_of(const struct lp_product *, const struct lp_set_shape *, uint32_t but, struct lp_alike *);
/* Fills in, for each seat, the first seat of its class. */
void lp_alike_classes(const struct lp_product *, const struct lp_alike *, uint8_t *class_of);
/* Brings the way into its normal form. */
void lp_alike_sort(const struct lp_product *, const struct lp_alike *, uint64_t *way);
/* `codes` has a set of codes for each seat.  Replaces each of these sets by the union of the sets of all seats of its class. */
void lp_alike_spread(const struct lp_product *, const struct lp_alike *, uint64_t *codes);

#endif
