/* check_object.h -- `check`: explores the clients of an object that the options select, and reaches a
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

/* The clients of one size are explored in two phases (check_object.c): first each of them briefly, then those
 * that are not finished. */
enum lp_look { LP_LOOK_WHOLE, LP_LOOK_BRIEFLY, LP_LOOK_REST };

struct lp_looks {
	enum lp_look phase;
	uint32_t number; /* the number of the next client */
	uint32_t left;   /* the number of clients that are not finished */
	LP_VEC(bool);    /* for each client: it is not finished */
};

/* What was learned about the object.  When one of the first two becomes true, all clients are explored once more. */
struct lp_learned {
	bool tells_apart; /* it tells its callers apart */
	bool inspects;    /* it looks at arguments that it should only pass on (passes_on.h): values are tried in every order */
	struct lp_plan_clients {
		LP_VEC(struct lp_explored_client {
			struct lp_plan_client client;
			uint64_t executions; /* complete ones; 0 if that is not known */
		});
	} small, large;   /* clients that were verified: with these it is checked whether the object
	                   * looks at arguments */
};

struct lp_check {
	struct lp_task task;
	struct lp_harness harness;
	struct lp_judge judge;
	struct lp_program_spec program; /* for --spec FILE.c, if it is a program */
	struct lp_refines refines;     /* for the same: compares the object with the program */
	struct lp_plan_client client;  /* the last one explored */
	const char *property;
	struct lp_counting counting;   /* --formulae or --grammar */
	struct lp_fit fit;             /* --fit */
	uint32_t clients, largest;     /* the number of clients explored, and of calls in the largest of them */
	uint32_t planned;              /* number of clients in all; 0: not known */
	uint32_t of_largest;           /* number of explored clients with `largest` calls */
	struct lp_looks looks;
	struct {
		double since, each;
	} pace;                        /* when the first client of the largest size began, and about how many
				        * seconds each of them takes */
	bool cut;                      /* the last client was not explored completely */
	struct lp_schedules schedules; /* --schedules */
	uint64_t schedule_count;       /* the number of these schedules, explored or not */
	struct lp_exploration total;   /* the last exploration, with the counts of all explorations */
	double deadline;
	struct lp_clients_counts apart; /* the counts of explorations for other purposes */
	struct lp_mend *mend;          /* stronger orders that prevent the violation, or NULL */
	struct lp_learned learned;
	bool quick;                    /* any violation is enough: it need not be the smallest */
	void *own;                     /* a handle of the object compiled a second time, if it has its own
				        * specification */
};

/* Loads the object, reads its harness and prepares the judge.  Call lp_check_close() in either case. */
bool lp_check_open(struct lp_check *, const struct lp_options *, struct lp_error *);
void lp_check_close(struct lp_check *);

/* Explores the clients that the options select, from the beginning, and leaves the result in `total`.  Returns
 * false if the options are inconsistent.  May be called again, for example with other memory orders
 * (site_orders.h). */
bool lp_check_explore(struct lp_check *, struct lp_error *);

/* Returns the verdict of `total`, taking doubts into account (doubts.h).  Sets `*reason` if the verdict is
 * inconclusive. */
enum lp_result_verdict lp_check_verdict(struct lp_check *, const char **reason);

/* Fills in the scope: the specification, the clients, and what was assumed about them. */
void lp_check_scope(struct lp_check *);

/* Returns the claim of "verified": "'queue.c' is a linearizable queue for every client of up to 4 calls". */
const char *lp_check_claim(struct lp_check *, bool bounded);

/* Replays an execution of a client.  Afterwards judge and program are in its final state. */
void lp_check_repeat(struct lp_check *, const struct lp_plan_client *, const struct lp_step *, uint32_t count,
		     struct lp_exploration *);

/* Calls visit() for each client that the options select, until visit() returns false.  visit() must count the
 * clients in c->clients.  Returns false if the options are inconsistent. */
typedef bool lp_check_visit(void *closure, const struct lp_plan_client *);
bool lp_check_enumerate(struct lp_check *, lp_check_visit *, void *closure, struct lp_error *);

/* Explores the current client once.  A violation is neither confirmed by a replay nor made smaller. */
void lp_check_try(struct lp_check *, struct lp_exploration *);

/* Did the exploration show that the object tells its callers apart?  Then all clients must be explored again:
 * equal calls of different threads are no longer alike, and calls also share threads. */
bool lp_check_was_mistaken(struct lp_check *);

/* Sets the client that is explored next. */
void lp_check_client(struct lp_check *, const struct lp_plan_client *);

/* Is the violation about what calls return, rather than an error of the program? */
bool lp_check_is_judged(const struct lp_exploration *);

/* Adds the result of an exploration to `total`. */
void lp_check_add(struct lp_check *, const struct lp_exploration *);

/* Writes the execution of a violation, with its client, to the file of --trace (lp_task_trace()). */
void lp_check_trace(struct lp_check *);

/* Shows the result; returns the exit status. */
int lp_check_show(struct lp_check *);

#endif
