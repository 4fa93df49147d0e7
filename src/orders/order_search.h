/* order_search.h -- finds the weakest correct assignments of memory orders.
 *
 * An assignment gives every choice (an access, a fence, the failure of a compare-exchange) one of the orders between its lowest and
 * its highest.  ask() says whether an assignment is correct.  The search knows nothing else about programs.  Write x <= y if, at
 * every choice, the order of assignment x is weaker than that of assignment y, or equal to it.  The search relies on
 *
 *   monotonicity     if x <= y and x is correct, y is correct
 *
 * The idea.  If x is wrong, ask() also returns an assignment `upper`, with x <= `upper`, that is wrong for the same reason.  By
 * monotonicity, every assignment <= `upper` is wrong, too.  The search starts with the lowest assignment and proceeds to more
 * expensive ones.  It does not ask about an assignment that is <= some `upper` so far.  Most of the assignments about which it asks
 * are wrong, which is found quickly; every correct one is an answer.
 *
 *     the queue of assignments, cheapest first
 *        take x;  an answer <= x?     drop x
 *                 x <= some `upper`?   for each choice, and each least order that is neither weaker
 *                      than that of `upper` nor equal to it: put x with this order into the queue
 *                 else ask:  right  -> x is an answer
 *                            wrong  -> remember `upper`, put x back
 *
 * Claim.  If the queue runs empty, the answers are exactly the minimal correct assignments.
 *
 * Argument.  Every minimal correct assignment becomes an answer: as long as such an assignment y is not an answer, the queue
 * contains some x <= y.  This holds initially.  When some x <= `upper` is replaced, this still holds: y is correct, so there is a
 * choice at which the order of y is neither weaker than that of `upper` nor equal to it.  One of the assignments that replace x
 * has, at this choice, such an order that is weaker than y's or equal to it; this assignment is <= y, too.  Conversely, no other
 * assignment becomes an answer.  If x is correct but not minimal, there is a minimal correct y < x.  The price of an assignment is
 * a sum over its choices, whose terms strictly grow with the order, so y is cheaper than x.  Then y was taken before x, and x is
 * dropped.
 *
 * If ask() cannot decide an assignment, the assignment counts as wrong, and is itself the `upper`.  (All smaller assignments were
 * handled before.)  Answers are still correct, but an undecided assignment just below an answer may be correct, too.
 *
 * If too many assignments were put into the queue, the search ends with the answers that it has.  If it has none, it looks for a
 * single answer.  For this it starts from the highest assignment, and lowers the order of each choice, the most expensive choice
 * first, as far as the refutations (the `upper` so far) allow.  It repeats this until ask() finds the assignment right.
 */
#ifndef LP_ORDERS_ORDER_SEARCH_H
#define LP_ORDERS_ORDER_SEARCH_H

#include "base/alloc.h"
#include "base/vec.h"
#include "orders/lattice.h"

struct lp_order_choice {
	enum lp_order_use use;
	enum lp_order low, high;       /* the range of orders; `low` is the weaker one */
	uint64_t price[LP_ORDERS];     /* grows strictly with the order */
};

enum lp_orders_answer {
	LP_ORDERS_RIGHT,
	LP_ORDERS_WRONG,
	LP_ORDERS_UNDECIDED,
	LP_ORDERS_STOP, /* there is no time left */
};

/* Is the assignment `orders` (an order for each choice) right?  If it is wrong, the function fills in `upper`, a wrong assignment
 * with `orders` <= `upper`; and `why`, a number whose meaning the caller defines. */
typedef enum lp_orders_answer lp_orders_ask(void *closure, const uint8_t *orders, uint8_t *upper, uint32_t *why);

struct lp_orders_refutation {
	uint8_t *upper;
	uint32_t why;
	bool undecided; /* ask() could not decide the assignment */
};

struct lp_orders_search {
	const struct lp_order_choice *choices;
	uint32_t count;
	lp_orders_ask *ask;
	void *closure;
	uint32_t enough;   /* stop after this number of answers; 0: find all */
	uint64_t most;     /* a price: once there is an answer, assignments that cost more are not tried; 0: no limit */
	uint32_t room;     /* how many assignments may be put into the queue in all; 0: the default */
	/* Filled in by the search. */
	struct {
		LP_VEC(uint8_t *);
	} answers;         /* cheapest first */
	struct {
		LP_VEC(struct lp_orders_refutation);
	} refutations;
	uint32_t asked;
	bool complete;     /* `answers` has all answers whose price is at most `most` */
	bool stopped;      /* ask() returned LP_ORDERS_STOP */
	bool monotone;     /* set by lp_orders_exhaust() */
	struct lp_arena arena;
};

/* Runs the search.  The caller sets the choices, ask() and the limits, zeroes the other fields, and closes the search
 * afterwards. */
void lp_orders_search(struct lp_orders_search *);
void lp_orders_search_close(struct lp_orders_search *);

/* For comparison: finds the answers by asking about every assignment.  `answers` becomes the list of minimal correct
 * assignments, sorted by price.  `complete`: no assignment was undecided.  `monotone`: if x <= y and x is correct, so is y. */
void lp_orders_exhaust(struct lp_orders_search *);

uint64_t lp_orders_price(const struct lp_orders_search *, const uint8_t *orders);

/* Returns a refutation with `orders` <= `upper`; NULL if there is none. */
const struct lp_orders_refutation *lp_orders_refuted(const struct lp_orders_search *, const uint8_t *orders);

/* Is `a` <= `b`, as defined at the top? */
bool lp_orders_below(uint32_t count, const uint8_t *a, const uint8_t *b);

/* Stores the next weaker orders of a choice, within its range.  Returns how many there are, at most two. */
unsigned lp_orders_next(const struct lp_order_choice *, enum lp_order, enum lp_order out[static 2]);

#endif
