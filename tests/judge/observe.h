/* observe.h -- what the clients of a program can see of its executions.
 *
 * An observation is what a check of all clients depends on: which threads came to their end, the
 * registers that the script's outcome names, and two relations between calls (model/calls.h).  A call is
 * a thread, or a part of one: `choose 1` begins another.
 *
 *     happens   a's first event happens before b's last, or is it
 *     possible  a client could order a before b: with that order it is still an execution
 *
 * Calls that never return are in neither.
 *
 * Observation r covers f if the results are the same, r has at most the `happens` of f, and at least
 * its `possible`: what is correct for r, whatever order clients add, is then correct for f.
 */
#ifndef LP_JUDGE_OBSERVE_H
#define LP_JUDGE_OBSERVE_H

#include <stdio.h>

#include "explore/explore.h"
#include "model/calls.h"
#include "program/script.h"

enum {
	OBSERVED_THREADS = 7, /* the first included */
	OBSERVED_REGS = 8,
	OBSERVED_CALLS = 12,  /* two of each thread but the first; what comes later is part of the second */
};

/* A relation between calls: bit b of after[a]. */
struct relation {
	uint16_t after[OBSERVED_CALLS];
};

struct observation {
	uint64_t result[OBSERVED_THREADS][OBSERVED_REGS];
	struct relation happens, possible;
	uint32_t ended;             /* threads, as bits */
	bool stuck;                 /* the others wait or spin forever */
	bool deep;                  /* some thread has jumped back more often than the bound */
};

struct observations {
	LP_VEC(struct observation);
};

/* How a script is observed. */
struct view {
	const struct lp_script *script;
	enum lp_model model;
	uint32_t bound;    /* see `deep` */
	bool fold;         /* observations are the same if they differ in the names of like threads only */
	uint8_t reg[OBSERVED_REGS];
	uint32_t regs;
	uint32_t alike[OBSERVED_THREADS]; /* the first of the threads that it is like: perhaps itself */
};

/* False if the script has too many threads or registers for that.  What the outcome names of one thread
 * it names of all that are like it: the script is changed so. */
bool view_open(struct view *, struct lp_script *, enum lp_model, uint32_t bound);

/* What the processes of an exploration have seen, in memory that they share. */
struct common_observations;

/* Observes the executions of one exploration: `judge` and `restarted` of its options. */
struct observer {
	struct common_observations *common; /* NULL: one process explores */
	const struct view *view;
	struct lp_program *program;
	struct lp_calls calls;
	struct observations seen;
	uint64_t complete; /* executions, not counting stuck ones */
	uint32_t restarts;
};

enum lp_judgement observe(void *observer, const struct lp_graph *, bool stuck, struct lp_program_error *);
void observe_again(void *observer);
void observer_drop(struct observer *);

/* Before an exploration by several processes, and after it: then `seen` has what all of them have seen.  False if that is too much. */
void observer_share(struct observer *);
bool observer_gather(struct observer *);

/* Does r cover f?  Without main: what the first thread's registers hold is not looked at. */
bool covers(const struct observation *r, const struct observation *f, bool without_main);
bool has_same_results(const struct observation *, const struct observation *, bool without_main);
/* Is it covered by one of them?  If the view folds, with any names of like threads. */
bool is_covered(const struct view *, const struct observations *by, const struct observation *, bool without_main);

/* Likewise, but not all at once: each order of two calls that is possible is so in one of them. */
bool is_covered_in_parts(const struct view *, const struct observations *by, const struct observation *,
			 bool without_main);

void print_observation(FILE *, const struct view *, const struct observation *);

#endif
