/* trial.h -- an object tried with other memory orders: the question that orders/order_search.h asks.
 *
 * A trial explores all clients with an assignment of orders, as `check` does.  If that ends with a
 * violation, the execution is kept as a witness, and repeated with stronger orders at one choice
 * after the other: where it still is an execution, and wrong, the choice does not matter to it, or
 * not that much.  What remains is `upper` of the search: with orders that are nowhere stronger, the
 * execution is possible, too.
 *
 * That is so because in rc11, and so in all models here, an execution stays consistent when orders
 * are weakened: happens-before and psc can only lose edges, and so can the synchronisation that a
 * specification asks for; and pairs of plain accesses can only become races.  An execution that ends early,
 * because a race is met before its end, is wrong as well.
 */
#ifndef LP_VERIFY_ORDERS_TRIAL_H
#define LP_VERIFY_ORDERS_TRIAL_H

#include "orders/order_search.h"
#include "verify/orders/site_orders.h"
#include "verify/task/check_object.h"

/* An execution that is wrong. */
struct lp_trial_witness {
	struct lp_plan_client client;
	const struct lp_step *steps;
	uint32_t count;
	const char *how;     /* "race at queue.c:44 with queue.c:30" */
	const char *calls;   /* "enqueue(1) | dequeue()" */
};

struct lp_trial {
	struct lp_check *check;
	const struct lp_site_choices *choices;
	const struct lp_order_choice *ranges; /* by choice */
	struct {
		LP_VEC(struct lp_trial_witness);
	} witnesses;
	const char *undecided;   /* why the last assignment that could not be decided could not */
	double deadline;         /* of lp_task_seconds(); 0: none */
	uint64_t executions, blocked; /* of all trials */
	uint64_t most_executions; /* so many of both are enough; 0: there is no limit */
	/* By choice: how it was reached, with orders that are right; with any. */
	unsigned *reached, *met;
};

void lp_trial_open(struct lp_trial *, struct lp_check *, const struct lp_site_choices *, const struct lp_order_choice *ranges);

/* Notes what was reached in the exploration that just ended, which was right or not. */
void lp_trial_note(struct lp_trial *, bool right);

/* Is the choice not reached, and a case of an order that is known only when the program runs, which no call passes?  That
 * is nothing to be told. */
bool lp_trial_is_other_case(const struct lp_trial *, uint32_t choice);

/* Some reductions leave out executions in which a thread only does what another one would do next, so that what it
 * does is not seen to be reached.  Explores once more without these, for a while, and notes what is reached. */
void lp_trial_look(struct lp_trial *, const uint8_t *orders, uint64_t executions);

/* Notes what was reached with the orders of the source, which are right: in the exploration that just ended, and, if some
 * was not, by looking for LP_EXECUTIONS_TO_LOOK. */
enum { LP_EXECUTIONS_TO_LOOK = 5000 };
void lp_trial_note_source(struct lp_trial *, const uint8_t *source);

/* Keeps the violation that the check has found. */
uint32_t lp_trial_witness(struct lp_trial *);

/* For lp_orders_search.ask; the closure is a trial.  `why` is the index of a witness. */
enum lp_orders_answer lp_trial_ask(void *trial, const uint8_t *orders, uint8_t *upper, uint32_t *why);

/* The same, asked without pruning: `upper` is the assignment itself, and there is no witness. */
enum lp_orders_answer lp_trial_ask_alone(void *trial, const uint8_t *orders, uint8_t *upper, uint32_t *why);

/* Explores all with exactly these orders, fences that are none left out. */
enum lp_orders_answer lp_trial_verify(struct lp_trial *, const uint8_t *orders);

/* Is the witness' execution possible with these orders, and wrong? */
bool lp_trial_shows(struct lp_trial *, uint32_t witness, const uint8_t *orders);

void lp_trial_close(struct lp_trial *);

#endif
