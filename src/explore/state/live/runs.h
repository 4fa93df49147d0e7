/* runs.h -- does a formula hold on every run?  Decided on the graph of states.
 *
 * A run is infinite.  Its letters are the states that it passes: in the first one the atoms of the first state hold, in
 * every other one the atoms of that state and of the event, a call or a return, that led there.  Runs that violate the
 * formula are those that the automaton of its negation accepts (ltl/ltl_automaton.h): cycles of the product of the two in
 * which every until has an edge that does not postpone it.
 *
 * A run in which no process can take a step, or none is in a call, may also stay where it is forever.
 *
 * Fairness.  A process is *able* if it is in a call and can take a step; one that waits for a lock cannot.
 *
 *     LP_UNFAIR         every run counts
 *     LP_WEAKLY_FAIR    a process that is able from some point on, without interruption, takes steps
 *     LP_STRONGLY_FAIR  a process that is able again and again takes steps again and again
 *
 * This is about processes that are in a call; one between two calls may stay there forever.  Under fairness, a process at
 * a failed assumption has no run.  Strong fairness is a Streett condition: from a component in which a process is able but
 * takes no step the states in which it is able are removed, and what remains is decomposed again (Emerson and Lei, 1987).
 * A weak compare-exchange does not fail spuriously in a cycle.
 *
 * Which reductions are sound here.
 *   - Calls and returns are transitions of their own: "calls late, returns early" would change their order.
 *   - Steps that no other process can observe are merged into the access before them.  They change no atom, so the formula
 *     sees fewer repetitions of the same letter, which it does not notice; unless it has an X.  Then every operation is a
 *     transition.
 *   - Symmetry, if the formula names no process, and all runs count: then renaming processes changes no letter.
 *   - No antichains, and no paths of several accesses: they do not preserve cycles.
 */
#ifndef LP_EXPLORE_STATE_LIVE_RUNS_H
#define LP_EXPLORE_STATE_LIVE_RUNS_H

#include "explore/state/live/freedom.h"
#include "ltl/ltl.h"
#include "ltl/ltl_automaton.h"

enum lp_fairness { LP_UNFAIR, LP_WEAKLY_FAIR, LP_STRONGLY_FAIR };

struct lp_state_runs {
	const struct lp_ltl *ltl;
	lp_ltl_id formula;
	const struct lp_ltl_automaton *contrary; /* of its negation */
	enum lp_fairness fairness;
	bool anonymous; /* the formula names no process */
	void *closure;
	/* The atoms that hold where a process calls (LP_OP_CALL; `what` is the call) or returns (LP_OP_RETURN; the result).
	 * `set` is the monitor's before it. */
	uint32_t (*event)(void *closure, uint32_t set, uint32_t process, enum lp_op_kind, int64_t what);
	/* The atoms that hold in every state with that set. */
	uint32_t (*state)(void *closure, uint32_t set);
	/* Functions of the program that say whether an atom holds: their numbers as calls follow those of
	 * invariants and tear-downs, and the i-th is for atom `proposition[i]`. */
	const uint32_t *proposition;
	uint32_t propositions;
};

/* Is there a run that violates the formula?  The lasso is one that begins in the state that was discovered earliest.
 * LP_FREE_UNKNOWN if `go_on` (may be NULL) returned false, or the product is too large. */
enum lp_freedom_answer lp_runs_decide(const struct lp_state_graph *, const struct lp_state_runs *, uint32_t processes,
				      bool (*go_on)(void *closure), void *closure, struct lp_lasso *);

#endif
