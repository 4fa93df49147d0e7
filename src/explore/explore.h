/* explore.h -- what every explorer takes and gives.
 *
 * An explorer runs a program under a memory model and visits its executions.
 * It stops at the first error, when all executions have been visited, or at a
 * limit.  The result is plain data; steps of a violation are in an order in
 * which they could have happened (reads after the writes they read from).
 */
#ifndef LP_EXPLORE_EXPLORE_H
#define LP_EXPLORE_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/alloc.h"
#include "model/models.h"
#include "program/program.h"

struct lp_answers;
struct lp_graph;
struct lp_range;

enum lp_verdict { LP_VERIFIED, LP_VIOLATION, LP_INCONCLUSIVE };

struct lp_step {
	lp_tid thread;
	uint32_t event;        /* its number in its thread */
	struct lp_op op;       /* what was asked (op.error is not meaningful) */
	struct lp_response answer;
	bool blocked;          /* the last step of a thread that cannot go on */
	uint32_t reads_from;   /* index of a step, or LP_STEP_INITIAL, or LP_STEP_NONE */
	uint32_t co_after;     /* writes: index of the step whose write it directly
	                        * overwrites in co, or LP_STEP_INITIAL; else LP_STEP_NONE */
	const char *where;     /* "queue.c:31" */
	const char *location;  /* "head", "node#2.next (allocated at queue.c:12)", or NULL */
	const char *read, *wrote; /* values that are addresses: "&node#3" (naming.h); NULL: they are numbers */
	const char *function;  /* "enqueue" or NULL */
	const char *caller;    /* where that was called, if it is a wrapper: "queue.h:88"; or NULL */
	const uint32_t *hb;    /* for each thread, how many of its events happen before this
	                        * one, itself counted; NULL if nobody asked for names */
	uint32_t hb_width;     /* threads in `hb` */
};
#define LP_STEP_NONE UINT32_MAX
#define LP_STEP_INITIAL (UINT32_MAX - 1)

/* A plain access, which is no operation: between two steps of its thread. */
struct lp_plain_step {
	lp_tid thread;
	uint32_t index;        /* events that the thread had performed */
	uint32_t number;       /* of those noted, in the order in which they were made */
	uint32_t before;       /* it comes before that step; the number of steps: after all */
	uintptr_t loc, pc;
	size_t size;
	bool write;
	bool early;            /* no other thread had begun */
	bool known;            /* `value` is */
	struct lp_value value;
	const char *where, *location, *function, *caller, *name; /* as those of steps; `name` is the value's */
};

struct lp_outcome {
	const char *text;
	uint64_t executions;
};

/* What is known while the exploration runs; for progress lines. */
struct lp_progress {
	uint64_t executions, blocked;
	double estimate; /* of the total number of executions; 0: not yet known */
};

struct lp_limits {
	double seconds;        /* 0: none */
	uint64_t executions;   /* complete ones; 0: none */
	uint64_t blocked;      /* lp_explore_graphs: those that are not, abandoned ones included; 0: none */
	uint32_t steps;        /* operations of one thread in one execution; 0: default */
};

enum lp_careful {
	LP_CARELESS,
	LP_CAREFUL_IF_PLAIN, /* of iterations that read plainly */
	LP_CAREFUL,          /* of all */
};

/* Loops that write, and come back to the state in which they began, may have iterations without end. */
enum lp_brief {
	LP_BRIEF_NEVER,
	LP_BRIEF_IF_NEEDED, /* if there is such a loop, errors are looked for in executions with one iteration of it first */
	LP_BRIEF,           /* these executions: nothing is proved */
};

/* What an operation has been seen to do (exercised.h). */
enum lp_exercise {
	LP_EXERCISE_SUCCEEDED, /* a compare-exchange that was left out: it would have, ... */
	LP_EXERCISE_FAILED,    /* ... and the one that does the same instead would have failed */
	LP_EXERCISE_ACQUIRED,
	LP_EXERCISE_RELEASED,
};

/* What a judge says of an execution. */
enum lp_judgement {
	LP_JUDGED_WRONG,
	LP_JUDGED_RIGHT,
	LP_NOT_JUDGED, /* it was told to stop, or had enough: neither */
};

struct lp_explore_options {
	enum lp_model model;
	bool races_ignored;    /* plain accesses are events; sc and tso only */
	bool symmetry, spin, weak_fails;
	bool helping;          /* skip a compare-and-swap that another thread performs next (with spin) */
	bool idle;             /* RMWs that change nothing are reads (silent_rmw.h): for verdicts, not
	                        * for counts */
	bool attempts;         /* leave out attempts under locks that changed nothing (redundant_attempts.h),
	                        * with spin */
	bool vain;             /* prune redundant rereads (redundant_rereads.h), with spin */
	bool park;             /* take threads that wait out of graphs (park.h), with spin */
	bool stale;            /* abandon graphs with attempts that are out of date (stale.h), with spin */
	bool twins;            /* leave out RMWs that read another write than the load before (twins.h): likewise */
	struct lp_answers *answers; /* what is known for these: set by the explorers */
	enum lp_brief brief;
	bool tail;             /* perform an end of main() that is always the same once (final_joins.h) */
	bool stores_seen;      /* leave out no iterations with stores (overwritten_iterations.h): set when another
	                        * thread may have read from one */
	enum lp_careful careful; /* keep some iterations that are redundant: set when races may be
	                        * lost otherwise (omitted_races.h) */
	const struct lp_range *parts; /* memory that is accessed in parts, as far as it is known: set */
	uint32_t part_count;          /* when it is met (mixed_sizes.h) */
	int preemptions;       /* < 0: unbounded */
	uint64_t random;       /* lp_explore_random: how many executions to sample */
	uint64_t seed;         /* of all that is random */
	uint32_t pct;          /* lp_explore_random: > 0: priority schedules of that depth */
	uint32_t jobs;         /* lp_explore_graphs: > 1: by that many processes */
	struct lp_limits limits;
	/* Called about every 100 ms; returning false stops: inconclusive. */
	bool (*progress)(void *closure, const struct lp_progress *);
	void *closure;
	/* Called at every complete execution, if set (tests, observers); `jobs` is then 1. */
	void (*complete)(void *closure, const struct lp_step *steps, uint32_t count);
	/* Asked about every execution that is complete, or in which threads wait forever
	 * (`stuck`), if set: is it right?  If it is wrong, `error` says how; without an answer,
	 * error->text is the reason, and the exploration is inconclusive.  The program is in
	 * its final state.  With several jobs every process asks for itself.  If `error` is NULL
	 * and the answer is not "right", it will be asked again, and acts as if it had not been. */
	enum lp_judgement (*judge)(void *closure, const struct lp_graph *, bool stuck,
				   struct lp_program_error *);
	void *judge_closure;
	/* Called, if set, whenever an operation at `pc` has been seen to do something, perhaps many times.  With several
	 * jobs every process calls it for itself.  lp_explore_graphs only. */
	void (*exercised)(void *closure, uintptr_t pc, enum lp_exercise);
	void *exercised_closure;
	/* Called, if set, when the exploration begins anew, because it relied on what is not
	 * so (helping.h, omitted_races.h, mixed_sizes.h): what was complete before will be met again. */
	void (*begun_anew)(void *closure);
};

struct lp_exploration {
	enum lp_verdict verdict;
	enum lp_error_kind kind; /* of the violation */
	const char *text;      /* one line in plain words */
	const char *reason;    /* inconclusive: which limit */
	lp_tid thread;         /* of the violation */
	const char *where, *other_where; /* file:line; the other party of a race */
	const char *location;  /* the memory concerned, or NULL */
	struct lp_program_error error; /* the error itself, of a violation */
	uint64_t executions;   /* complete ones */
	uint64_t blocked;      /* carried to an end that is none */
	uint64_t abandoned;    /* given up when that was clear */
	uint64_t left;         /* complete ones whose end some thread still waits or spins at, ... */
	uintptr_t left_pc;     /* ... where; of several places the lowest, or 0 */
	uint64_t distinct;     /* executions that differ, of those sampled */
	double estimate;
	const struct lp_step *steps;
	uint32_t step_count;
	const struct lp_plain_step *plains; /* of lp_explore_replay(): in the order of `before` */
	uint32_t plain_count;
	uint32_t loop;         /* 1 + the first of the steps that then come again and again, to
	                        * the last one; 0: none do */
	const struct lp_outcome *outcomes;
	uint32_t outcome_count;
	bool doubtful;         /* the error is in an execution that may be none (silent_rmw.h) */
};

/* Visits every execution graph of the program exactly once (graph_explorer.c).
 * The result and all it points to live in `arena`. */
void lp_explore_graphs(struct lp_program *, const struct lp_explore_options *,
		       struct lp_arena *arena, struct lp_exploration *out);

/* Samples executions, each chosen at random (random.c).  Never says "verified".  Everything
 * follows from options->seed; the text of a violation names the seed that, with one sample,
 * gives the same execution again. */
void lp_explore_random(struct lp_program *, const struct lp_explore_options *,
		       struct lp_arena *arena, struct lp_exploration *out);

/* Visits once every execution graph that some schedule with at most options->preemptions
 * preemptions produces (preemptions.c); with fewest preemptions first.  For model sc. */
void lp_explore_preemptions(struct lp_program *, const struct lp_explore_options *,
			    struct lp_arena *arena, struct lp_exploration *out);

/* Does the given steps again (replay_steps.c), each after watch(), if that is given, has agreed.
 * The result is the error that is met; or "inconclusive" if the program does not go that
 * way, or "verified" if nothing is wrong with the execution. */
void lp_explore_replay(struct lp_program *, const struct lp_explore_options *,
		       const struct lp_step *steps, uint32_t count,
		       bool (*watch)(void *closure, uint32_t step), void *closure,
		       struct lp_arena *arena, struct lp_exploration *out);

/* Estimates how many executions lp_explore_graphs would visit, without bias, from that many
 * random descents (estimate.c): out->estimate.  An error that it meets is a violation. */
void lp_explore_estimate(struct lp_program *, const struct lp_explore_options *,
			 uint32_t descents, struct lp_arena *arena, struct lp_exploration *out);

#endif
