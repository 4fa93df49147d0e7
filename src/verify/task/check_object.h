/* check_object.h -- an object and its clients, on the way from options to a verdict. */
#ifndef LP_VERIFY_TASK_CHECK_OBJECT_H
#define LP_VERIFY_TASK_CHECK_OBJECT_H

#include "verify/fit.h"
#include "verify/judge.h"
#include "verify/plan_schedules.h"
#include "verify/task/task.h"

struct lp_mend;

struct lp_check {
	struct lp_task task;
	struct lp_harness harness;
	struct lp_judge judge;
	struct lp_plan_client client;  /* the last one explored */
	const char *property;
	struct lp_fit fit;             /* --fit */
	uint32_t clients, largest;     /* explored; calls of the largest */
	uint32_t planned;              /* in all; 0: not known */
	uint32_t of_largest;           /* explored, that have as many calls */
	bool cut;                      /* the last one was not explored to its end */
	struct lp_schedules schedules; /* --schedules: which, */
	uint64_t schedule_count;       /* and how many, explored or not */
	struct lp_exploration total;   /* the last one, with the counts of all */
	double deadline;
	struct lp_clients_counts apart; /* of what was explored besides, for other reasons */
	struct lp_mend *mend;          /* what would help against the violation, or NULL */
	bool quick;                    /* any violation will do: it need not be the smallest */
	void *own;                     /* the object once more, for its own specification */
};

/* Loads the object, reads its harness and prepares the judge.  Closing is due in any case. */
bool lp_check_open(struct lp_check *, const struct lp_options *, struct lp_error *);
void lp_check_close(struct lp_check *);

/* Explores the clients that are meant, from the beginning: `total` is what came out.  False if the options
 * make no sense.  May be called again, with other memory orders (site_orders.h), say. */
bool lp_check_explore(struct lp_check *, struct lp_error *);

/* What `total` is worth, all things considered (doubts.h); the reason if that is inconclusive. */
enum lp_result_verdict lp_check_verdict(struct lp_check *, const char **reason);

/* What "verified" means: "'queue.c' is a linearizable queue for every client of up to 4 calls". */
const char *lp_check_claim(struct lp_check *, bool bounded);

/* Repeats one execution of a client.  Afterwards judge and program are in the state in which it ended. */
void lp_check_repeat(struct lp_check *, const struct lp_plan_client *, const struct lp_step *, uint32_t count,
		     struct lp_exploration *);

/* What is explored next is this client. */
void lp_check_client(struct lp_check *, const struct lp_plan_client *);

/* Takes what came out of it, beside what came out of others before. */
void lp_check_add(struct lp_check *, const struct lp_exploration *);

/* Writes the execution of a violation, with its client, to the file of --trace (lp_task_trace()). */
void lp_check_trace(struct lp_check *);

/* Shows the result; returns the exit status. */
int lp_check_show(struct lp_check *);

#endif
