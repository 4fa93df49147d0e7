/* explore.h -- the interface of all explorers: options in, a result out.
 *
 * An explorer runs a program under a memory model and visits its executions.
 * It stops at the first error, when all executions have been visited, or at a
 * limit.  The result is plain data.  The steps of a violation are in an order that
 * agrees with po and rf: a read comes after the write that it reads from.
 */
#ifndef LP_EXPLORE_EXPLORE_H
#define LP_EXPLORE_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/alloc.h"
#include "explore/reduce/reductions.h"
#include "model/models.h"
#include "program/program.h"

struct lp_bound_facts;
struct lp_graph;
struct lp_keep;
struct lp_range;
struct lp_team;
struct lp_watch;

enum lp_verdict { LP_VERIFIED, LP_VIOLATION, LP_INCONCLUSIVE };

struct lp_step {
	lp_tid thread;
	uint32_t event;        /* the number of the event in its thread */
	struct lp_op op;       /* the operation (op.error is not meaningful) */
	struct lp_response answer;
	bool blocked;          /* the last step of a thread that cannot go on */
	bool racing;           /* the last two steps of the list race with each other, and this is one of the two; neither has
	                        * been performed yet */
	uint32_t reads_from;   /* of a step that reads: the index of the step that it reads from, or LP_STEP_INITIAL; else
	                        * LP_STEP_NONE */
	uint32_t co_after;     /* of a step that writes: the index of the step whose write comes directly before
	                        * it in co, or LP_STEP_INITIAL; LP_STEP_NONE if the step does not write */
	const char *where;     /* the place in the source: "queue.c:31" */
	const char *location;  /* "head", "node#2.next (allocated at queue.c:12)", or NULL */
	const char *read, *wrote; /* the names of the values read and written, if they are addresses: "&node#3" (naming.h);
	                           * NULL: there is no such value, or it is a number */
	const char *function;  /* "enqueue" or NULL */
	const char *caller;    /* if `function` is a wrapper, where it was called: "queue.h:88"; or
	                        * NULL */
	const uint32_t *hb;    /* for each thread, how many of its events happen before this
	                        * one, itself included; NULL in the steps that callbacks.complete() gets */
	uint32_t hb_width;     /* the number of threads in `hb` */
};
/* Is the step a plain access?  Plain accesses are steps only if they are operations (see mixed_sizes.h, and `races_ignored`
 * below). */
static inline bool lp_step_is_plain(const struct lp_step *s)
{
	return (s->op.kind == LP_OP_LOAD || s->op.kind == LP_OP_STORE) && s->op.order == LP_PLAIN;
}

#define LP_STEP_NONE UINT32_MAX
#define LP_STEP_INITIAL (UINT32_MAX - 1)

/* A plain access that is not an operation.  It lies between two steps of its thread. */
struct lp_plain_step {
	lp_tid thread;
	uint32_t index;        /* how many events the thread had performed before the access */
	uint32_t number;       /* the index of the access among those noted, in the order in which
	                        * they were made */
	uint32_t before;       /* index of the step before which the report lists the access; the number of steps if it is
	                        * listed after all steps */
	uintptr_t loc, pc;
	size_t size;
	bool write;
	bool early;            /* no thread other than the first had started yet */
	bool known;            /* `value` is known */
	struct lp_value value;
	const char *where, *location, *function, *caller, *name; /* as in lp_step; `name` is the name of
	                                                          * `value`, or NULL if it is a number */
};

struct lp_outcome {
	const char *text;
	uint64_t executions;
};

/* The numbers so far, for progress lines. */
struct lp_progress {
	uint64_t executions, blocked;
	double estimate; /* the estimated number of all executions; 0: not yet known */
};

struct lp_limits {
	double seconds;        /* 0: no limit */
	double deadline;       /* the time (lp_clock_seconds()) at which the exploration, including its restarts, must end; set by
	                        * the explorers; 0: no limit */
	uint64_t executions;   /* complete executions; 0: no limit */
	uint64_t blocked;      /* lp_explore_graphs: blocked and abandoned executions; 0: no limit */
	uint32_t steps;        /* operations of one thread in one execution; 0: default */
	bool fair;             /* a thread that exceeds `steps`, but would end if all threads took turns, stops there (endless.c); without `fair`, the
	                        * exploration ends there */
	uint32_t unroll;       /* how often a thread may perform the same operation of a loop in one call; 0: no limit */
	struct lp_keep *keep;  /* lp_explore_graphs: where to write the remaining work, from time to time and when a limit is reached
	                        * (keep.h); NULL: it is not written */
};

/* Bounds on schedules, for lp_explore_bounded(). */
struct lp_schedule_bounds {
	uint32_t preemptions;  /* 1 + the number of preemptions; 0: no limit */
	uint32_t delays;       /* 1 + the number of delays; 0: no limit */
	uint32_t rounds;       /* the number of round-robin rounds; 0: no limit */
	struct lp_bound_facts *facts; /* set by lp_explore_bounded() */
};

/* Options for exploring at random. */
struct lp_sample_options {
	uint64_t executions;   /* lp_explore_random: how many executions to sample */
	uint64_t seed;         /* determines everything that is random */
	uint32_t pct;          /* lp_explore_random: the depth of priority schedules (sample/pct.h); 0: threads have no priorities */
};

/* How to treat a loop whose iterations write and return to the state in which they began.  Such a loop may have infinitely many
 * iterations. */
enum lp_brief {
	LP_BRIEF_NEVER,
	LP_BRIEF_IF_NEEDED, /* if there is such a loop, first look for errors in executions with one iteration of it */
	LP_BRIEF,           /* explore only executions with one iteration: errors are found, nothing is proved */
};

/* What an operation has been seen to do (exercised.h). */
enum lp_exercise {
	LP_EXERCISE_SUCCEEDED, /* a reduction left out the operation, which would have succeeded */
	LP_EXERCISE_FAILED,    /* the compare-exchange was performed in the place of one that a reduction left out; it could
	                        * have failed */
	LP_EXERCISE_ACQUIRED,
	LP_EXERCISE_RELEASED,
};

/* The answer of a judge about an execution. */
enum lp_judgement {
	LP_JUDGED_WRONG,
	LP_JUDGED_RIGHT,
	LP_NOT_JUDGED, /* no answer: the judge was told to stop, or reached a limit */
};

/* Functions that an exploration calls; each may be NULL. */
struct lp_explore_callbacks {
	/* Called about every 100 ms; if it returns false, the exploration stops: inconclusive. */
	bool (*progress)(void *closure, const struct lp_progress *);
	/* Called at every complete execution (tests, observers).  The exploration is then made by one process, and
	 * the steps have neither names nor `hb`. */
	void (*complete)(void *closure, const struct lp_step *steps, uint32_t count);
	/* Called when the exploration restarts (restarts.h): complete executions will be visited again. */
	void (*restarted)(void *closure);
	void *closure;         /* passed to the three functions above */
	/* Is asked whether an execution is correct.  It is called for every complete execution, and for every execution in
	 * which threads wait forever (`stuck`).  The program is in its final state.  If the execution is
	 * wrong, the judge writes the reason to `error`.  If it gives no answer, it writes the reason to error->text, and the
	 * exploration is inconclusive.  With several jobs each process calls the judge.  `error` may be NULL: then, unless the
	 * answer is "right", the judge is asked again about the same execution later, and must keep no
	 * trace of the first call. */
	enum lp_judgement (*judge)(void *closure, const struct lp_graph *, bool stuck,
				   struct lp_program_error *);
	void *judge_closure;
	/* Is asked about each error that the explorer itself finds; returns true if the error is to be ignored.  Then a read of
	 * memory that was never written returns what is there, and an execution in which threads wait forever counts as blocked. */
	bool (*ignores)(const struct lp_program_error *);
	/* Called whenever an operation at `pc` was exercised (exercised.h), perhaps many times for the same operation.  Only
	 * lp_explore_graphs() calls this function; with several jobs each process does. */
	void (*exercised)(void *closure, uintptr_t pc, enum lp_exercise);
	void *exercised_closure;
};

struct lp_explore_options {
	enum lp_model model;
	bool races_ignored;    /* plain accesses are events; sc and tso only */
	bool weak_fails;       /* weak compare-exchanges may fail spuriously */
	struct lp_reductions reduce; /* which reductions are used */
	struct lp_watch *watch; /* the facts that reductions rely on (restarts.h): set by the explorers */
	enum lp_brief brief;
	struct {
		const struct lp_range *at;
		uint32_t count;
	} parts;               /* the memory known to be accessed in parts; set before an exploration restarts because it has
	                        * met such memory (mixed_sizes.h) */
	struct lp_limits limits;
	struct lp_schedule_bounds bounds;
	struct lp_sample_options sampling;
	uint32_t jobs;         /* lp_explore_graphs: the number of processes; 0 and 1: one process */
	struct lp_team *team;  /* lp_explore_graphs: the machines, each with `jobs` processes (parallel/team.h); NULL: there is only one machine */
	struct lp_explore_callbacks callbacks;
};

struct lp_exploration {
	enum lp_verdict verdict;
	enum lp_error_kind kind; /* the kind of the violation */
	const char *text;      /* what the violation is, in one line of plain words */
	const char *reason;    /* why the verdict is inconclusive, such as the limit that was
	                        * reached */
	lp_tid thread;         /* the thread of the violation */
	const char *where, *other_where; /* file:line of the error, and of the other access of a
	                                  * race */
	const char *location;  /* the memory that the error is about, or NULL */
	struct lp_program_error error; /* the error of a violation */
	uint64_t executions;   /* complete executions */
	uint64_t blocked;      /* executions that ended blocked */
	uint64_t abandoned;    /* executions abandoned before their end, because they could not become complete */
	uint64_t cut;          /* blocked executions in which a thread has reached limits.unroll or, with limits.fair,
	                        * limits.steps */
	uint64_t left;         /* complete executions that ended the program although some thread still waits or spins */
	uintptr_t left_pc;     /* the lowest pc at which such a thread waits or spins, or 0 */
	uint64_t distinct;     /* how many different executions were sampled */
	double estimate;
	const struct lp_step *steps;
	uint32_t step_count;
	const struct lp_plain_step *plains; /* filled in by lp_explore_replay(), in the order of
	                                     * `before` */
	uint32_t plain_count;
	uint32_t loop;         /* if the steps from some step to the last repeat forever: 1 + the index of that step; else 0 */
	const struct lp_outcome *outcomes;
	uint32_t outcome_count;
	bool doubtful;         /* the error must be found again without some reductions before it counts: the execution may be infeasible
	                        * (silent_rmw.h, undone.h), or a thread that waits in it would make attempts in the program (shifts.h) */
};

/* Visits every execution graph of the program exactly once (graph_explorer.c).
 * The result and all it points to live in `arena`. */
void lp_explore_graphs(struct lp_program *, const struct lp_explore_options *,
		       struct lp_arena *arena, struct lp_exploration *out);

/* Samples random executions (random.c).  The verdict is never "verified".  All random choices depend on
 * options->sampling.seed only.  The text of a violation names a seed with which the first sample is the violating
 * execution. */
void lp_explore_random(struct lp_program *, const struct lp_explore_options *,
		       struct lp_arena *arena, struct lp_exploration *out);

/* Do several processes share the exploration? */
static inline bool lp_explore_is_shared(const struct lp_explore_options *o)
{
	return o->jobs > 1 || o->team;
}

/* Are schedules bounded? */
static inline bool lp_is_bounded(const struct lp_explore_options *o)
{
	return o->bounds.preemptions || o->bounds.delays || o->bounds.rounds;
}

/* Visits every execution graph that some schedule within options->bounds produces, each exactly once (bound/bound.h).  The model must be
 * sc. */
void lp_explore_bounded(struct lp_program *, const struct lp_explore_options *,
			struct lp_arena *arena, struct lp_exploration *out);

/* Steps of an execution that is to be replayed. */
struct lp_replay {
	const struct lp_step *steps;
	uint32_t count;
	bool (*watch)(void *closure, uint32_t step); /* called before each step; false: stop there;
	                                              * NULL: never stop */
	void *closure;
	bool strictly; /* each step must also access the location that it accesses in `steps`, and its condition must hold or fail as
	                * there */
};

/* Replays the given steps (replay_steps.c).  The result is a violation if the execution has an
 * error, "inconclusive" if the program cannot take these steps, and otherwise "verified". */
void lp_explore_replay(struct lp_program *, const struct lp_explore_options *,
		       const struct lp_replay *, struct lp_arena *arena, struct lp_exploration *out);

/* Estimates of two numbers: of the executions that lp_explore_graphs() would visit, and of all graphs, including those that end
 * blocked or are abandoned.  Each is the average of unbiased estimates from several rounds. */
struct lp_estimate {
	double executions, graphs;
	double variance, graphs_variance; /* the variances of the two averages */
	uint32_t rounds;                  /* the number of rounds that were averaged */
};

/* Makes these estimates from random parts of the tree of choices (sample/estimate.c).  The estimation ends after options->limits.seconds;
 * if these are 0, it ends after `rounds` rounds, with at most `width` graphs in each generation.  The verdict is never
 * "verified".  If an error is met, it is reported as a violation. */
struct lp_estimate_effort { uint32_t rounds, width; };
void lp_explore_estimate(struct lp_program *, const struct lp_explore_options *, struct lp_estimate_effort,
			 struct lp_arena *arena, struct lp_estimate *, struct lp_exploration *out);

#endif
