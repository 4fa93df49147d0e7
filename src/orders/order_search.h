/* order_search.h -- the weakest assignments of memory orders that are right.
 *
 * An assignment gives every choice (an access, a fence, the failure of a compare-exchange) one of
 * the orders between its lowest and its highest.  Whether it is right, ask() says.  The search knows
 * nothing else about programs, but relies on
 *
 *   monotonicity     an assignment that is as strong at every choice as one that is right is right.
 *
 * The idea.  Where ask() says no it also says how far the orders can be raised without helping: every
 * assignment that is nowhere stronger than `upper` is wrong, for the same reason.  So whatever is
 * right is stronger than `upper` somewhere.  The search goes up from the lowest assignment, cheapest
 * first, and asks only about assignments that no refutation so far rules out: most of what is
 * asked is wrong, which is found out quickly, and everything that is right is an answer.
 *
 *     the queue of assignments, cheapest first
 *        take x;  above an answer?  drop it
 *                 ruled out by `upper`?  for each choice and each least order that is not
 *                      below `upper` there: put x with that order into the queue
 *                 else ask:  right  -> x is an answer
 *                            wrong  -> remember `upper`, put x back
 *
 * Claim.  If the queue runs empty, the answers are all minimal assignments that are right; and each
 * answer is minimal.  The argument: below every minimal assignment y that is right and not yet an
 * answer there is one in the queue.  It holds at first, and when x <= y is replaced: y is not ruled out,
 * so y is not below `upper` at some choice, where the least such order between x and y is put in.  A
 * price is the sum over choices of what strictly grows with the order, so that what is below y is
 * taken before y is; and if x is right but not minimal, some y < x is right, and was taken earlier.
 *
 * What ask() cannot decide counts as wrong, for that assignment alone (all weaker ones are done with
 * by then): answers are right all the same, but the next weaker assignment may be undecided.
 *
 * If the queue grows too long, one answer is looked for: from the top, each choice is lowered as far
 * as refutations allow, the most expensive one first, and so on until ask() says yes.
 */
#ifndef LP_ORDERS_ORDER_SEARCH_H
#define LP_ORDERS_ORDER_SEARCH_H

#include "base/alloc.h"
#include "base/vec.h"
#include "orders/lattice.h"

struct lp_order_choice {
	enum lp_order_use use;
	enum lp_order low, high;       /* low is weaker */
	uint64_t price[LP_ORDERS];     /* grows strictly with the order */
};

enum lp_orders_answer {
	LP_ORDERS_RIGHT,
	LP_ORDERS_WRONG,
	LP_ORDERS_UNDECIDED,
	LP_ORDERS_STOP, /* there is no time left */
};

/* Of an assignment, by choice.  WRONG: fills `upper`, which is nowhere weaker than the assignment, and a
 * number of the caller's for why. */
typedef enum lp_orders_answer lp_orders_ask(void *closure, const uint8_t *orders, uint8_t *upper, uint32_t *why);

struct lp_orders_refutation {
	uint8_t *upper;
	uint32_t why;
	bool undecided; /* of an assignment that ask() could not decide */
};

struct lp_orders_search {
	const struct lp_order_choice *choices;
	uint32_t count;
	lp_orders_ask *ask;
	void *closure;
	uint32_t enough;   /* answers; 0: all */
	uint64_t most;     /* price: dearer ones are looked for only if there is no answer; 0: any */
	uint32_t room;     /* of the queue; 0: the default */
	/* What was found. */
	struct {
		LP_VEC(uint8_t *);
	} answers;         /* cheapest first */
	struct {
		LP_VEC(struct lp_orders_refutation);
	} refutations;
	uint32_t asked;
	bool complete;     /* these are all, up to `most` */
	bool stopped;      /* by ask() */
	bool monotone;     /* lp_orders_exhaust() */
	struct lp_arena arena;
};

/* The choices, what to ask, and limits are set; the rest is zero.  Closing is due. */
void lp_orders_search(struct lp_orders_search *);
void lp_orders_search_close(struct lp_orders_search *);

/* The same by asking about every assignment, for comparison: `answers` are the minimal ones of those that are
 * right, by price, and `complete` says that none was undecided.  `monotone`: the right ones are all those above. */
void lp_orders_exhaust(struct lp_orders_search *);

uint64_t lp_orders_price(const struct lp_orders_search *, const uint8_t *orders);

/* The refutation that rules the assignment out, or NULL. */
const struct lp_orders_refutation *lp_orders_refuted(const struct lp_orders_search *, const uint8_t *orders);

/* Is `a` nowhere stronger than `b`? */
bool lp_orders_below(uint32_t count, const uint8_t *a, const uint8_t *b);

/* The next weaker orders of a choice, within its range: how many, two at most. */
unsigned lp_orders_next(const struct lp_order_choice *, enum lp_order, enum lp_order out[static 2]);

#endif
