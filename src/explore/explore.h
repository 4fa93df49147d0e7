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
	bool racing;           /* the last two steps race, and this is one of them: both are about to
	                        * happen */
	uint32_t reads_from;   /* index of a step, or LP_STEP_INITIAL, or LP_STEP_NONE */
	uint32_t co_after;     /* writes: index of the step whose write it directly
	                        * overwrites in co, or LP_STEP_INITIAL; else LP_STEP_NONE */
	const char *where;     /* "queue.c:31" */
	const char *location;  /* "head", "node#2.next (allocated at queue.c:12)", or NULL */
	const char *read, *wrote; /* values that are addresses: "&node#3" (naming.h); NULL: the value is a
	                           * number */
	const char *function;  /* "enqueue" or NULL */
	const char *caller;    /* if `function` is a wrapper, where it was called: "queue.h:88"; or
	                        * NULL */
	const uint32_t *hb;    /* for each thread, how many of its events happen before this
	                        * one, itself included; NULL in the steps that callbacks.complete() gets */
	uint32_t hb_width;     /* threads in `hb` */
};
/* Is it a plain access that is an operation (mixed_sizes.h, races_ignored)? */
static inline bool lp_step_is_plain(const struct lp_step *s)
{
	return (s->op.kind == LP_OP_LOAD || s->op.kind == LP_OP_STORE) && s->op.order == LP_PLAIN;
}

#define LP_STEP_NONE UINT32_MAX
#define LP_STEP_INITIAL (UINT32_MAX - 1)

/* A plain access.  Plain accesses are not operations: each lies between two steps of its thread. */
struct lp_plain_step {
	lp_tid thread;
	uint32_t index;        /* how many events the thread had performed before the access */
	uint32_t number;       /* the index of the access among those noted, in the order in which
	                        * they were made */
	uint32_t before;       /* index of the step that comes after the access; the number of steps if none
	                        * does */
	uintptr_t loc, pc;
	size_t size;
	bool write;
	bool early;            /* no other thread had started yet */
	bool known;            /* `value` is known */
	struct lp_value value;
	const char *where, *location, *function, *caller, *name; /* as in lp_step; `name` is the name of the
	                                                          * value, like `read` there */
};

struct lp_outcome {
	const char *text;
	uint64_t executions;
};

/* What is known while the exploration runs; for progress lines. */
struct lp_progress {
	uint64_t executions, blocked;
	double estimate; /* the estimated number of all executions; 0: not yet known */
};

struct lp_limits {
	double seconds;        /* 0: no limit */
	double deadline;       /* the time (lp_clock_seconds()) at which the exploration ends, with all its restarts; set by
	                        * the explorers; 0: no limit */
	uint64_t executions;   /* complete executions; 0: no limit */
	uint64_t blocked;      /* lp_explore_graphs: blocked and abandoned executions; 0: no limit */
	uint32_t steps;        /* operations of one thread in one execution; 0: default */
	bool fair;             /* a thread that exceeds `steps`, and would end if others had their turns, waits there */
	uint32_t unroll;       /* how often a thread may perform the same operation of a loop in one call; 0: no limit */
	struct lp_keep *keep;  /* lp_explore_graphs: keep the rest of the exploration when a limit is reached, and from time to time
	                        * (keep.h); NULL: do not */
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
	uint32_t pct;          /* lp_explore_random: > 0: priority schedules of that depth */
};

/* How to treat loops that write and return to the state in which they began: they may have infinitely many iterations. */
enum lp_brief {
	LP_BRIEF_NEVER,
	LP_BRIEF_IF_NEEDED, /* if there is such a loop, first look for errors in executions with one iteration of it */
	LP_BRIEF,           /* explore only executions with one iteration: errors are found, nothing is proved */
};

/* What an operation has been seen to do (exercised.h). */
enum lp_exercise {
	LP_EXERCISE_SUCCEEDED, /* a compare-exchange that was left out would have succeeded */
	LP_EXERCISE_FAILED,    /* the compare-exchange performed in the place of that one would have failed */
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
	/* Is asked whether an execution is correct: about every complete one, and every one in
	 * which threads wait forever (`stuck`).  The program is in its final state.  If the execution is
	 * wrong, `error` says why.  If there is no answer, error->text is the reason, and the exploration
	 * is inconclusive.  With several jobs each process calls the judge.  If `error` is NULL and the
	 * answer is not "right", the judge will be asked again about the same execution, and must keep no
	 * trace of this call. */
	enum lp_judgement (*judge)(void *closure, const struct lp_graph *, bool stuck,
				   struct lp_program_error *);
	void *judge_closure;
	/* Is asked about each error that the explorer itself finds: should it be ignored?  If so, a read of memory that was
	 * never written returns what is there, and an execution in which threads wait forever counts as blocked. */
	bool (*ignores)(const struct lp_program_error *);
	/* Called whenever an operation at `pc` was exercised, perhaps many times for the same operation.
	 * With several jobs each process calls this function.  Only lp_explore_graphs() does so. */
	void (*exercised)(void *closure, uintptr_t pc, enum lp_exercise);
	void *exercised_closure;
};

struct lp_explore_options {
	enum lp_model model;
	bool races_ignored;    /* plain accesses are events; sc and tso only */
	bool weak_fails;       /* weak compare-exchanges may fail spuriously */
	struct lp_reductions reduce; /* what need not be visited */
	struct lp_watch *watch; /* the facts that reductions rely on (restarts.h): set by the explorers */
	enum lp_brief brief;
	struct {
		const struct lp_range *at;
		uint32_t count;
	} parts;               /* memory that is accessed in parts: set when an exploration meets such memory
	                        * (mixed_sizes.h) */
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
	const char *text;      /* one line in plain words */
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
	uint64_t left;         /* complete executions at whose end some thread still waits or spins */
	uintptr_t left_pc;     /* the lowest pc at which such a thread waits or spins, or 0 */
	uint64_t distinct;     /* how many different executions were sampled */
	double estimate;
	const struct lp_step *steps;
	uint32_t step_count;
	const struct lp_plain_step *plains; /* filled in by lp_explore_replay(), in the order of
	                                     * `before` */
	uint32_t plain_count;
	uint32_t loop;         /* 1 + the first step of the cycle that repeats forever and ends with the
	                        * last step; 0: there is none */
	const struct lp_outcome *outcomes;
	uint32_t outcome_count;
	bool doubtful;         /* the error is searched for again without some reductions: its execution may be infeasible (silent_rmw.h,
	                        * undone.h), or a thread waits in it that would make attempts (shifts.h) */
};

/* Visits every execution graph of the program exactly once (graph_explorer.c).
 * The result and all it points to live in `arena`. */
void lp_explore_graphs(struct lp_program *, const struct lp_explore_options *,
		       struct lp_arena *arena, struct lp_exploration *out);

/* Samples random executions (random.c).  The verdict is never "verified".  The run depends on
 * options->sampling.seed only; the text of a violation names the seed that reproduces the execution as
 * the first sample. */
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

/* Visits exactly once every execution graph that a schedule within options->bounds produces (bound/bound.h).  For model sc. */
void lp_explore_bounded(struct lp_program *, const struct lp_explore_options *,
			struct lp_arena *arena, struct lp_exploration *out);

/* Steps of an execution that is to be replayed. */
struct lp_replay {
	const struct lp_step *steps;
	uint32_t count;
	bool (*watch)(void *closure, uint32_t step); /* called before each step; false: stop there;
	                                              * NULL: never stop */
	void *closure;
	bool strictly; /* each step must also access the same location, and its condition must have the same outcome */
};

/* Replays the given steps (replay_steps.c).  The result is a violation if the execution has an
 * error, "inconclusive" if the program cannot take these steps, and otherwise "verified". */
void lp_explore_replay(struct lp_program *, const struct lp_explore_options *,
		       const struct lp_replay *, struct lp_arena *arena, struct lp_exploration *out);

/* Estimates of the number of executions that lp_explore_graphs() would visit, and of graphs, which include those that end blocked or
 * are abandoned.  Each is the average of unbiased estimates from several rounds. */
struct lp_estimate {
	double executions, graphs;
	double variance, graphs_variance; /* the variances of the two averages */
	uint32_t rounds;                  /* the number of rounds that were averaged */
};

/* Makes these estimates from random parts of the tree of choices (sample/estimate.c).  It takes options->limits.seconds;
 * if this is 0, it takes `rounds` rounds with at most `width` graphs in each generation.  The verdict is never
 * "verified"; an error on the way is reported as a violation. */
struct lp_estimate_effort { uint32_t rounds, width; };
void lp_explore_estimate(struct lp_program *, const struct lp_explore_options *, struct lp_estimate_effort,
			 struct lp_arena *arena, struct lp_estimate *, struct lp_exploration *out);

#endif
