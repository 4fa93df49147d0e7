/* state.h -- every reachable state of processes that call an object forever, under
 * sequential consistency, together with a monitor that judges calls and returns.
 *
 * A state is shared memory, the local state of every process (program/process.h), what its
 * calls so far allow it to call next, and the monitor's *set*.  The monitor is a
 * deterministic automaton on calls and returns whose states are numbers; what they mean is
 * its own business.  A smaller set is harder to satisfy: if no state with the same memory
 * and processes and set a can go wrong, then none with set b does, where a is within b.
 */
#ifndef LP_EXPLORE_STATE_STATE_H
#define LP_EXPLORE_STATE_STATE_H

#include "explore/explore.h"
#include "program/process.h"

enum { LP_STATE_PROCESSES = 16 };

#define LP_MONITOR_WRONG UINT32_MAX       /* that return cannot be right */
#define LP_MONITOR_AGAIN (UINT32_MAX - 1) /* it has learnt something: begin again */

#define LP_MONITOR_DOUBTS (UINT32_MAX - 2) /* it may be wrong, by what it has learnt so far */

struct lp_state_monitor {
	void *closure;
	uint32_t (*begin)(void *closure);
	uint32_t (*calls)(void *closure, uint32_t set, uint32_t process, uint32_t call);
	uint32_t (*returns)(void *closure, uint32_t set, uint32_t process, int64_t result);
	/* Process i becomes number to[i]; and what tells processes apart but not by number. */
	uint32_t (*rename)(void *closure, uint32_t set, const uint8_t *to);
	uint64_t (*look)(void *closure, uint32_t set, uint32_t process);
	bool (*within)(void *closure, uint32_t a, uint32_t b);
	/* May the process' call, which can never return, wait forever? */
	bool (*may_wait)(void *closure, uint32_t set, uint32_t process);
	void (*again)(void *closure);
	/* The call takes effect, with that result; NULL: nobody says where it does. */
	uint32_t (*point)(void *closure, uint32_t set, uint32_t process, int64_t result);
	/* Nothing is left to be learnt: no more doubts.  NULL if it never has any. */
	void (*settle)(void *closure);
};

/* What is asked about runs that go on forever (freedom.h): nothing, or one of these. */
enum lp_freedom {
	LP_ANY,
	LP_OBSTRUCTION_FREE,
	LP_LOCK_FREE,
	LP_WAIT_FREE,
	LP_DEADLOCK_FREE,
	LP_STARVATION_FREE,
};

/* When a process may make a call.  Bits are of the process: it has some of them. */
struct lp_state_call {
	uint32_t role;       /* only processes of that role make it; 0: all do */
	uint32_t needs;      /* bits that it must have, and then has no more */
	uint32_t unless;     /* bits that it must not have */
	uint32_t gives;      /* bits that it has after the call */
	uint32_t gives_true; /* the same, if the result is not 0 */
};

struct lp_state_options {
	uint32_t processes;
	uint32_t role[LP_STATE_PROCESSES]; /* ascending; processes of a role are alike */
	const struct lp_state_call *calls; /* those that LP_OP_CALL chooses from */
	uint32_t call_count;
	/* Calls with the numbers after that, one behind the other and alone, whenever no process
	 * is in a call: invariants, then the tear-down.  What they change is forgotten. */
	uint32_t invariants, teardowns;
	bool symmetry, por, antichains;
	bool paths;           /* with por: several accesses in a transition (state_paths.c) */
	bool shortest;        /* breadth first: fewest steps to a violation */
	bool races_ignored, weak_fails;
	bool exact;           /* states are stored whole, not as fingerprints */
	bool gc;              /* blocks that nobody can come by are gone; or else no verdict */
	bool levels;          /* count states by their distance from the first */
	enum lp_freedom freedom; /* then without antichains, and if fair without symmetry */
	struct lp_limits limits;
	bool (*progress)(void *closure, const struct lp_progress *); /* as in explore.h */
	void *closure;
};

struct lp_state_counts {
	uint64_t states;      /* visited: pairs of a state of the object and a set */
	uint64_t transitions;
	uint64_t covered;     /* met, but not visited: a smaller set was */
	uint64_t bytes;       /* of the table of states */
	uint32_t locations;   /* words of memory that calls access */
	uint32_t begun;       /* times that it was begun, the monitor having learnt */
	const uint64_t *levels; /* if asked for: states that so many transitions lead to; in the arena */
	uint32_t level_count;
	bool unconfirmed;     /* the steps to what is wrong could not be done again */
	const char *no_teardown; /* why the tear-down was not gone through; NULL: it was */
};

/* `out` and what it points to live in `arena`; calls and returns are steps with an op that
 * LP_OP_CALL or LP_OP_RETURN. */
void lp_explore_states(struct lp_processes *, const struct lp_state_monitor *,
		       const struct lp_state_options *, struct lp_arena *arena,
		       struct lp_exploration *out, struct lp_state_counts *counts);

#endif
