/* liveness_state.h -- inside the liveness analysis: what registers and slots hold.
 *
 *     ENTRY(r)   what the callee-saved register r held when the function was entered
 *     STACK(k)   the stack address cfa + k
 *     MAYBE      perhaps derived from a stack address
 *     OTHER      not a stack address, unless one escaped before
 *
 * UNSEEN is below all of them; STACK and MAYBE join with anything else to MAYBE,
 * the rest to OTHER.
 */
#ifndef LP_LOAD_LIVENESS_STATE_H
#define LP_LOAD_LIVENESS_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "load/liveness_x86.h"

enum value_kind { UNSEEN, OTHER, ENTRY, STACK, MAYBE };

struct value {
	enum value_kind kind;
	int32_t at; /* ENTRY: the register; STACK: the offset */
};

enum { MAX_SLOTS = 48 };

/* Eight bytes at cfa + at.  Slots that are not listed hold OTHER. */
struct slot {
	int32_t at;
	struct value holds;
};

struct state {
	struct value reg[GPRS];
	uint32_t slots;
	struct slot slot[MAX_SLOTS];
	bool seen;
};

static const struct value x_other = { OTHER, 0 };
static const struct value x_maybe = { MAYBE, 0 };

static inline bool x_is_stack(struct value v)
{
	return v.kind == STACK || v.kind == MAYBE;
}

static inline bool x_is_equal(struct value a, struct value b)
{
	return a.kind == b.kind && (a.at == b.at || (a.kind != ENTRY && a.kind != STACK));
}

struct value x_value_join(struct value a, struct value b);

/* What may have been overwritten with something that is no stack address. */
static inline struct value x_value_blur(struct value v)
{
	return x_value_join(v, x_other);
}

/* At a function's entry. */
void x_state_enter(struct state *);

struct value x_state_slot(const struct state *, int32_t at);

/* Does a stack address overlap [from, to)?  With `exactly`, one that fills it does not
 * count. */
bool x_state_has_stack(const struct state *, int32_t from, int32_t to, bool exactly);

/* [from, to) has been overwritten with something unknown. */
void x_state_forget(struct state *, int32_t from, int32_t to);

/* The slot at `at` now holds v.  False if a stack address had to be dropped: it
 * is in a place that we have lost sight of. */
bool x_state_remember(struct state *, int32_t at, struct value v);

/* What was saved below rsp is left over, and its place may be used anew. */
void x_state_drop_popped(struct state *);

/* Merges `from` into `into`; true if that changed anything.  `*lost` is set if a
 * stack address had to be dropped. */
bool x_state_merge(struct state *into, const struct state *from, bool *lost);

#endif
