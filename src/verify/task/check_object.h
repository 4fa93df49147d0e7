/* check_object.h -- the command `check`: explores those clients of an object that the options select, and reaches a
 * verdict. */
#ifndef LP_VERIFY_TASK_CHECK_OBJECT_H
#define LP_VERIFY_TASK_CHECK_OBJECT_H

#include "check/refine/refines.h"
#include "verify/fit.h"
#include "verify/judge.h"
#include "verify/plan_schedules.h"
#include "verify/program/program_spec.h"
#include "verify/task/counting.h"
#include "verify/task/task.h"

struct lp_mend;

/* All clients with one number of calls are explored in two phases (check_clients.c): first each of them briefly, then those that
 * are not finished.  LP_LOOK_WHOLE: there are no phases, for example because there is only one client. */
enum lp_look { LP_LOOK_WHOLE, LP_LOOK_BRIEFLY, LP_LOOK_REST };

struct lp_looks {
	enum lp_look phase;
	uint32_t number; /* the number of the next client */
	uint32_t left;   /* the number of clients that are not finished */
	LP_VEC(bool);    /* for each client: it is not finished */
};

/* What was learned about the object.  When `tells_apart` or `inspects` becomes true, all clients are explored once more. */
struct lp_learned {
	bool tells_apart; /* the object tells its callers apart */
	bool inspects;    /* the object looks at arguments that it should only pass on (passes_on.h): values are tried in every order */
	struct lp_plan_clients {
		LP_VEC(struct lp_explored_client {
			struct lp_plan_client client;
			uint64_t executions; /* the number of complete executions; 0 if it is not known */
		});
	} small, large;   /* clients that were verified, and with which the check of passes_on.h is made */
};

struct lp_check {
	struct lp_task task;
	struct lp_harness harness;
	struct lp_judge judge;
	struct lp_program_spec program; /* for --spec FILE.c, if it is a program */
	struct lp_refines refines;     /* for such a program: compares the object with it */
	struct lp_plan_client client;  /* the client that was explored last */
	const char *property;
	struct lp_counting counting;   /* --formulae or --grammar */
	struct lp_fit fit;             /* --fit */
	uint32_t clients, largest;     /* the number of clients explored; the number of calls in the largest of them */
	uint32_t planned;              /* the number of all clients that the options select; 0: not known */
	uint32_t of_largest;           /* the number of explored clients with `largest` calls */
	struct lp_looks looks;
	struct {
		double since, each;
	} pace;                        /* `since`: when the first client with `largest` calls was begun.  `each`: about how many
					* seconds each of these clients takes */
	bool cut;                      /* the last client was not explored completely */
	struct lp_schedules schedules; /* --schedules */
	uint64_t schedule_count;       /* the number of these schedules, explored or not */
	struct lp_exploration total;   /* the last exploration; its counts are the sums over all explorations */
	double deadline;
	struct lp_clients_counts apart; /* what the judge has counted in explorations that are not part of the verdict; reports
					 * subtract it */
	struct lp_mend *mend;          /* stronger orders that prevent the violation, or NULL */
	struct lp_learned learned;
	bool quick;                    /* any violation is enough: it need not be the smallest */
	void *own;                     /* if the object defines its own specification: the handle, for dlclose(), of a second
					* compilation of the object, which has this specification */
};

/* Loads the object, reads its harness and prepares the judge.  Returns false, with the error set, if that fails.  Call
 * lp_check_close() in either case. */
bool lp_check_open(struct lp_check *, const struct lp_options *, struct lp_error *);
void lp_check_close(struct lp_check *);

/* Explores the clients that the options select, from the beginning, and leaves the result in `total`.  Returns
 * false if the options are inconsistent.  May be called again, for example with other memory orders
 * (site_orders.h). */
bool lp_check_explore(struct lp_check *, struct lp_error *);

/* Returns the verdict of `total`, taking doubts into account (doubts.h).  Sets `*reason` if the verdict is
 * inconclusive. */
enum lp_result_verdict lp_check_verdict(struct lp_check *, const char **reason);

/* Fills in the scope of the verdict: the specification, the clients, and what was assumed about the clients. */
void lp_check_scope(struct lp_check *);

/* Returns the claim of "verified": "'queue.c' is a linearizable queue for every client of up to 4 calls". */
const char *lp_check_claim(struct lp_check *, bool bounded);

/* Replays an execution of a client.  Afterwards the judge and the program are in the final state of this execution. */
void lp_check_repeat(struct lp_check *, const struct lp_plan_client *, const struct lp_step *, uint32_t count,
		     struct lp_exploration *);

/* Calls visit() for each client that the options select, until visit() returns false.  visit() must count the
 * clients in c->clients.  Returns false if the options are inconsistent. */
typedef bool lp_check_visit(void *closure, const struct lp_plan_client *);
bool lp_check_enumerate(struct lp_check *, lp_check_visit *, void *closure, struct lp_error *);

/* Explores the current client once.  A violation is neither confirmed by a replay nor made smaller. */
void lp_check_try(struct lp_check *, struct lp_exploration *);

/* Did the exploration show that the object tells its callers apart?  If so, all clients must be explored again:
 * equal calls of different threads are no longer alike, and there are also clients in which calls share threads. */
bool lp_check_was_mistaken(struct lp_check *);

/* Sets the client that is explored next. */
void lp_check_client(struct lp_check *, const struct lp_plan_client *);

/* Has the judge found the violation of the exploration?  If not, the violation is an error of the program, such as a race. */
bool lp_check_is_judged(const struct lp_exploration *);

/* Adds the result of an exploration to `total`. */
void lp_check_add(struct lp_check *, const struct lp_exploration *);

/* Writes the execution of a violation, with its client, to the file of --trace (lp_task_trace()). */
void lp_check_trace(struct lp_check *);

/* Shows the result; returns the exit status. */
int lp_check_show(struct lp_check *);

#endif
