/* trial.h -- checks an object with other memory orders, for orders/order_search.h.
 *
 * A trial explores all clients with an assignment of orders, as `check` does.  If it finds a
 * violation, the execution is kept as a witness, and replayed with a stronger order at one choice
 * after the other.  If it is still an execution, and wrong, the stronger order does not prevent it.
 * The result is `upper` of the search: the execution is possible with all orders that are nowhere
 * stronger.
 *
 * This holds because in rc11, and so in all models here, an execution stays consistent when orders
 * are weakened: happens-before and psc can only lose edges, so the synchronisation that a
 * specification requires can only be lost, and pairs of plain accesses can only become races.  An
 * execution that ends early, because a race is met before its end, is wrong as well.
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
	const char *undecided;   /* why the last undecided assignment could not be decided */
	double deadline;         /* of lp_task_seconds(); 0: none */
	uint64_t executions, blocked; /* of all trials */
	uint64_t most_executions; /* limit on the sum of both; 0: no limit */
	/* By choice: how it was reached, with correct assignments, and with any assignment. */
	unsigned *reached, *met;
};

void lp_trial_open(struct lp_trial *, struct lp_check *, const struct lp_site_choices *, const struct lp_order_choice *ranges);

/* Records what was reached in the exploration that just ended, which was correct or not. */
void lp_trial_note(struct lp_trial *, bool right);

/* Is the choice one of the orders that may be passed to a function at run time, but never is?  Then it is not reported as
 * not reached. */
bool lp_trial_is_other_case(const struct lp_trial *, uint32_t choice);

/* Some reductions leave out executions in which a thread only does what another thread would do next, so that its
 * accesses are not recorded as reached.  Explores again without these reductions, up to that many executions, and
 * records what is reached. */
void lp_trial_look(struct lp_trial *, const uint8_t *orders, uint64_t executions);

/* Records what was reached with the orders of the source, which are correct: in the exploration that just ended, and, if
 * something was not reached, by lp_trial_look() with LP_EXECUTIONS_TO_LOOK. */
enum { LP_EXECUTIONS_TO_LOOK = 5000 };
void lp_trial_note_source(struct lp_trial *, const uint8_t *source);

/* Keeps the violation that the check has found. */
uint32_t lp_trial_witness(struct lp_trial *);

/* For lp_orders_search.ask; the closure is a trial.  `why` is the index of a witness. */
enum lp_orders_answer lp_trial_ask(void *trial, const uint8_t *orders, uint8_t *upper, uint32_t *why);

/* The same without pruning: `upper` is the assignment itself, and there is no witness. */
enum lp_orders_answer lp_trial_ask_alone(void *trial, const uint8_t *orders, uint8_t *upper, uint32_t *why);

/* Explores everything with exactly these orders, without the fences that they remove. */
enum lp_orders_answer lp_trial_verify(struct lp_trial *, const uint8_t *orders);

/* Is the witness's execution possible with these orders, and wrong? */
bool lp_trial_shows(struct lp_trial *, uint32_t witness, const uint8_t *orders);

void lp_trial_close(struct lp_trial *);

#endif
