/* order_search.h -- finds the weakest correct assignments of memory orders.
 *
 * An assignment gives every choice (an access, a fence, the failure of a compare-exchange) one of
 * the orders between its lowest and its highest.  ask() says whether an assignment is correct.  The
 * search knows nothing else about programs, but relies on
 *
 *   monotonicity     an assignment that is at least as strong as a correct one at every choice is correct.
 *
 * The idea.  If an assignment is wrong, ask() also returns a stronger assignment `upper` that is wrong for the
 * same reason.  By monotonicity, an assignment that is not stronger than `upper` at any choice is wrong, too.
 * So every correct assignment is stronger than `upper` at some choice.  The search starts with the lowest
 * assignment and proceeds to more expensive ones, and asks only about assignments that no refutation so far
 * rules out.  Most of these are wrong, which is found quickly, and every correct one is an answer.
 *
 *     the queue of assignments, cheapest first
 *        take x;  above an answer?  drop it
 *                 ruled out by `upper`?  for each choice and each least order that is not
 *                      below `upper` there: put x with that order into the queue
 *                 else ask:  right  -> x is an answer
 *                            wrong  -> remember `upper`, put x back
 *
 * Claim.  If the queue runs empty, the answers are exactly the minimal correct assignments.
 *
 * Argument.  Every minimal correct assignment becomes an answer: as long as such an assignment y is not an answer, the queue contains
 * some x <= y.  This holds initially.  When x is ruled out and replaced, it still holds: y is correct, so y is not below `upper` at some
 * choice; one of the assignments that replace x has a least order at this choice that is not below `upper` and not above y's; and this
 * assignment is <= y, too.  Conversely, no other assignment becomes an answer.  If x is correct but not minimal, there is a minimal
 * correct y < x.  The price of an assignment is a sum over its choices, whose terms strictly grow with the order, so y is cheaper than
 * x.  Then y was taken before x, and x is dropped.
 *
 * If ask() cannot decide an assignment, it counts as wrong, but only this assignment is ruled out (all weaker ones were handled
 * before).  Answers are still correct, but there may be undecided assignments just below an answer.
 *
 * If too many assignments were put into the queue, the search ends with the answers that it has.  If it has none, it looks for a
 * single answer.  For this it starts from the highest assignment, and lowers each choice as far as refutations allow, the most expensive
 * choice first, until ask() finds the assignment right.
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

/* Is the assignment `orders` (an order for each choice) right?  If it is wrong, the function fills in `upper`, which is nowhere weaker
 * than the assignment, and `why`, a number whose meaning the caller defines. */
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
	uint64_t most;     /* once there is an answer, more expensive assignments than this are not tried; 0: no limit */
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
 * assignments, sorted by price.  `complete`: no assignment was undecided.  `monotone`: all assignments above a correct
 * one are correct. */
void lp_orders_exhaust(struct lp_orders_search *);

uint64_t lp_orders_price(const struct lp_orders_search *, const uint8_t *orders);

/* The refutation that rules the assignment out, or NULL. */
const struct lp_orders_refutation *lp_orders_refuted(const struct lp_orders_search *, const uint8_t *orders);

/* Is `a` nowhere stronger than `b`? */
bool lp_orders_below(uint32_t count, const uint8_t *a, const uint8_t *b);

/* The next weaker orders of a choice, within its range.  Returns their number, at most two. */
unsigned lp_orders_next(const struct lp_order_choice *, enum lp_order, enum lp_order out[static 2]);

#endif
