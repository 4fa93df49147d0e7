/* state.h -- explores all states that are reachable when processes call an object forever, under
 * sequential consistency.  A monitor judges calls and returns.
 *
 * A state consists of shared memory, the local state of every process (program/process.h), the bits
 * that say which calls each process may make next (struct lp_state_call), and the monitor's *set*.
 * The monitor is a deterministic automaton on calls and returns.  The states of this automaton, the
 * sets, are numbers whose meaning only the monitor knows.  A smaller set is harder to satisfy: if set
 * a is within set b, and no violation can be reached with a, then no violation can be reached with b
 * from the same memory and processes.
 */
#ifndef LP_EXPLORE_STATE_STATE_H
#define LP_EXPLORE_STATE_STATE_H

#include "explore/explore.h"
#include "program/process.h"

enum { LP_STATE_PROCESSES = 16 };

#define LP_MONITOR_WRONG UINT32_MAX       /* the return cannot be correct */
#define LP_MONITOR_AGAIN (UINT32_MAX - 1) /* the monitor has learnt something: restart the search */

#define LP_MONITOR_DOUBTS (UINT32_MAX - 2) /* the monitor does not know yet whether the return is wrong */

#define LP_MONITOR_BARRED (UINT32_MAX - 3) /* only from calls(): the process must not make this call */

struct lp_state_monitor {
	void *closure;
	/* begin() returns the first set.  calls() and returns() return the set after a call or a return, or one of the
	 * numbers above. */
	uint32_t (*begin)(void *closure);
	uint32_t (*calls)(void *closure, uint32_t set, uint32_t process, uint32_t call);
	uint32_t (*returns)(void *closure, uint32_t set, uint32_t process, int64_t result);
	/* rename() returns the set in which process i has the number to[i].  look() returns what the set says
	 * about a process, independently of the process's number, so that processes can be sorted. */
	uint32_t (*rename)(void *closure, uint32_t set, const uint8_t *to);
	uint64_t (*look)(void *closure, uint32_t set, uint32_t process);
	bool (*within)(void *closure, uint32_t a, uint32_t b); /* is set a within set b? */
	/* Is the process's open call allowed to wait forever?  Asked if no process can take a step, and in every state if a progress
	 * property is checked under fair schedules. */
	bool (*may_wait)(void *closure, uint32_t set, uint32_t process);
	/* To be called when the search restarts. */
	void (*again)(void *closure);
	/* Returns the set after the process's call has taken effect with that result.  NULL: the user gives no
	 * linearization points. */
	uint32_t (*point)(void *closure, uint32_t set, uint32_t process, int64_t result);
	/* From now on the monitor must answer without doubts, because there is nothing more to learn.  NULL if
	 * it never has doubts. */
	void (*settle)(void *closure);
	/* Takes back the last fact that the monitor has learnt.  NULL if it never learns. */
	void (*unlearn)(void *closure);
};

struct lp_ranks;
struct lp_spill;
struct lp_state_runs;

/* Which progress property is checked (freedom.h); LP_ANY: none. */
enum lp_freedom {
	LP_ANY,
	LP_OBSTRUCTION_FREE,
	LP_LOCK_FREE,
	LP_WAIT_FREE,
	LP_DEADLOCK_FREE,
	LP_STARVATION_FREE,
};

/* When a process may make a call.  Each process has a set of bits that its calls change. */
struct lp_state_call {
	uint32_t role;       /* only processes of that role make the call; 0: all do */
	uint32_t needs;      /* bits that the process must have, and loses with the call */
	uint32_t unless;     /* bits that the process must not have */
	uint32_t gives;      /* bits that it gets with the return */
	uint32_t gives_true; /* bits that it also gets if the result is not 0 */
	uint32_t marks;      /* bits that all processes get with the call, and keep */
};

struct lp_state_options {
	uint32_t processes;
	uint32_t role[LP_STATE_PROCESSES]; /* in ascending order; processes with the same role are
	                                    * interchangeable */
	const struct lp_state_call *calls; /* the calls from which LP_OP_CALL chooses */
	uint32_t call_count;
	/* Whenever no process is in a call, these calls run one after the other: first the invariants, then the
	 * tear-downs.  Their effects are discarded.  Their numbers follow those of `calls`. */
	uint32_t invariants, teardowns;
	bool symmetry, por, antichains;
	bool paths;           /* with por: several accesses in a transition (state_paths.c) */
	bool shortest;        /* breadth first: fewest steps to a violation */
	bool races_ignored, weak_fails;
	bool exact;           /* states are stored whole, not as fingerprints */
	bool gc;              /* unreachable blocks are reclaimed; otherwise, if there are any, there is no verdict */
	bool levels;          /* count states by their distance from the first */
	/* An execution from a trace: its steps are taken, and there is no search.  NULL: a search.  The execution has the thread,
	 * the kind of operation and the choice of each step; the kind, text and thread of the violation; and where a cycle begins.
	 * If the steps lead to that violation, the result is that of a search with the same options; otherwise the result is
	 * inconclusive. */
	const struct lp_exploration *given;
	const struct lp_state_runs *runs; /* a formula that is checked on runs (runs.h); NULL: none */
	uint32_t jobs;           /* the number of OS processes that search together (shared/shared.h).  One process searches alone
	                          * while there are few states; it always does so if `shortest` is false, or if `exact`, `freedom`,
	                          * `runs` or `given` is set */
	struct lp_ranks *ranks;  /* the ranks that search together, instead of `jobs` processes; NULL: this
	                          * process is not one of several ranks */
	struct lp_spill *spill; /* moves large arrays to files (visited/spill.h); NULL: they stay in
	                         * memory */
	enum lp_freedom freedom; /* if it is not LP_ANY, `antichains` must be false; under fair schedules
	                          * `symmetry` has no effect */
	struct lp_limits limits;
	bool (*progress)(void *closure, const struct lp_progress *); /* as in explore.h */
	void *closure;
};

struct lp_state_counts {
	uint64_t states;      /* the number of visited states; each is a state of the object with a
	                       * set */
	uint64_t transitions;
	uint64_t covered;     /* how often a state was met that need not be visited, because the same memory and local
	                       * states were met before with the same set, or with a smaller one */
	uint64_t bytes;       /* the size of the table of states */
	uint32_t locations;   /* words of memory that calls access */
	uint32_t begun;       /* how often the search started: it restarts when the monitor has learnt something, or when an
	                       * assumption of a reduction was false */
	const uint64_t *levels; /* with options->levels: the number of states by distance in transitions; in the
	                         * arena */
	uint32_t level_count;
	bool lost;            /* a process of the search was killed: there is no verdict */
	bool unconfirmed;     /* the steps to the violation could not be replayed */
	const char *no_teardown; /* why the tear-down was not run; NULL: it was run */
};

/* Explores the states, and fills in `out` and `counts`; what they point to lives in `arena`.  Calls and returns
 * are steps whose operation is LP_OP_CALL or LP_OP_RETURN. */
void lp_explore_states(struct lp_processes *, const struct lp_state_monitor *,
		       const struct lp_state_options *, struct lp_arena *arena,
		       struct lp_exploration *out, struct lp_state_counts *counts);

#endif
