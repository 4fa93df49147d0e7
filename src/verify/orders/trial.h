/* trial.h -- checks an object with other memory orders, for orders/order_search.h.
 *
 * A trial explores all clients with an assignment of orders, as `check` does.  If the trial finds a violation, it keeps the
 * execution as a witness.  Then it strengthens the order of one choice after the other, and replays the witness each time.  If the
 * witness is still a wrong execution, the stronger order does not prevent the violation, and is kept.  The result is the
 * assignment `upper` of the search: the wrong execution is possible with every assignment in which each order is that of `upper` or
 * a weaker one.
 *
 * The reason: in rc11, and so in all models here, an execution stays consistent when orders are weakened, because happens-before
 * and psc can only lose edges.  A wrong execution also stays wrong.  Synchronisation that the specification
 * requires can only be lost, and pairs of plain accesses can only become races.  An execution that ends early because of such a race is
 * wrong, too.
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
	const struct lp_order_choice *ranges; /* for each choice */
	struct {
		LP_VEC(struct lp_trial_witness);
	} witnesses;
	const char *undecided;   /* why the last undecided assignment could not be decided */
	double deadline;         /* a time of lp_task_seconds(); 0: none */
	uint64_t executions, blocked; /* the sums over all trials */
	uint64_t most_executions; /* a limit on the sum of executions and blocked; 0: no limit */
	/* For each choice, how it was reached: `reached` counts only trials with correct assignments, `met` all trials. */
	unsigned *reached, *met;
};

void lp_trial_open(struct lp_trial *, struct lp_check *, const struct lp_site_choices *, const struct lp_order_choice *ranges);

/* Records which choices the exploration that has just ended has reached; `right`: its assignment was correct. */
void lp_trial_note(struct lp_trial *, bool right);

/* If a function gets its order as an argument, there is a choice for each order that may be passed (site_orders.h).  Is this such a
 * choice, and is its order never passed?  Reports do not list such a choice among those that were not reached. */
bool lp_trial_is_other_case(const struct lp_trial *, uint32_t choice);

/* If a thread only does what another thread would do next, some reductions leave the execution out, and the accesses of that thread
 * are not recorded as reached.  This function explores again without these reductions, up to `executions`
 * executions, and records which choices are reached. */
void lp_trial_look(struct lp_trial *, const uint8_t *orders, uint64_t executions);

/* To be called after the exploration with the orders of the source, if the object is correct with them.  Records which choices were
 * reached.  If some were not, calls lp_trial_look() with LP_EXECUTIONS_TO_LOOK. */
enum { LP_EXECUTIONS_TO_LOOK = 5000 };
void lp_trial_note_source(struct lp_trial *, const uint8_t *source);

/* Keeps the violation that the check has found as a witness, and returns the index of the witness. */
uint32_t lp_trial_witness(struct lp_trial *);

/* The callback lp_orders_search.ask; the closure is a trial.  `why` is the index of a witness. */
enum lp_orders_answer lp_trial_ask(void *trial, const uint8_t *orders, uint8_t *upper, uint32_t *why);

/* The same as lp_trial_ask(), but an answer says nothing about other assignments: `upper` is set to the assignment itself, and
 * there is no witness. */
enum lp_orders_answer lp_trial_ask_alone(void *trial, const uint8_t *orders, uint8_t *upper, uint32_t *why);

/* Explores all clients with exactly these orders; a relaxed fence is not an operation. */
enum lp_orders_answer lp_trial_verify(struct lp_trial *, const uint8_t *orders);

/* Is the witness's execution possible with these orders, and wrong? */
bool lp_trial_shows(struct lp_trial *, uint32_t witness, const uint8_t *orders);

void lp_trial_close(struct lp_trial *);

#endif
