/* runs.h -- decides on the graph of states whether a formula holds on every run.
 *
 * A run is infinite.  Each state that a run passes gives a letter, which is a set of atoms.  The first letter has the atoms
 * that hold in the first state.  Every other letter has the atoms that hold in its state, and those of the call or return that
 * led to this state.  A run violates the formula if the automaton of the negated formula accepts the run
 * (ltl/ltl_automaton.h).  If all runs count (see Fairness), there is such a run if and only if the product of the graph and the
 * automaton has a reachable cycle in which, for each until of the negated formula, some edge does not postpone this until.
 * Under fairness the cycle must also be fair.
 *
 * A run may also stay in a state forever if no process that is in a call can take a step there.  This is so if no process is
 * in a call, or if all calls wait for processes that are between two calls, for example for one that holds a lock and never
 * releases it.  The graph has an edge from such a state to itself (LP_EDGE_STAYS).
 *
 * Fairness.  A process is *able* if it is in a call and can take a step; a process that waits for a lock cannot.
 *
 *     LP_UNFAIR         every run counts
 *     LP_WEAKLY_FAIR    a process that is able from some point on, without interruption, takes steps
 *     LP_STRONGLY_FAIR  a process that is able again and again takes steps again and again
 *
 * Fairness concerns only processes that are in a call; a process between two calls may stay there forever.  A process at an
 * assumption that does not hold counts as able.  So a run in which the process stays there forever is not fair, but other
 * processes may take steps until the assumption holds.  Strong fairness is a Streett condition.  If a process is able in some
 * states of a component but takes no step in the component, these states are removed, and the rest of the component is decomposed
 * again (Emerson and Lei, 1987).  A weak compare-exchange does not fail spuriously in a cycle.
 *
 * Which reductions are sound here.
 *   - Calls and returns are separate transitions: making calls late and returns early would change their
 *     order.
 *   - Steps that no other process can observe are merged into the access before them.  These steps change no atom.  So
 *     merging only makes a letter occur fewer times in a row, which changes the value of a formula only if the formula has
 *     the operator X.  In that case every operation is a transition.  Unobservable steps are not merged into a call or a
 *     return: the atom of a call or return holds in one letter only, and the letters after it would be lost.
 *   - Symmetry is on if the formula names no process, and fairness is LP_UNFAIR: then renaming processes
 *     changes no letter, and every run counts.
 *   - Antichains, and paths of several accesses, are off, because they do not preserve cycles.
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
	const struct lp_ltl_automaton *contrary; /* the automaton of the negated formula */
	enum lp_fairness fairness;
	bool anonymous; /* the formula names no process */
	void *closure;
	/* The atoms that hold when a process makes a call (LP_OP_CALL; `what` is the call), or returns (LP_OP_RETURN;
	 * `what` is the result).  `set` is the set of the monitor (state.h) before the call or return. */
	uint32_t (*event)(void *closure, uint32_t set, uint32_t process, enum lp_op_kind, int64_t what);
	/* The atoms that hold in every state with that set. */
	uint32_t (*state)(void *closure, uint32_t set);
	/* Functions of the program can decide whether an atom holds.  They are called like the invariants and tear-downs, and
	 * their numbers follow those of the tear-downs; the i-th function decides atom `proposition[i]`. */
	const uint32_t *proposition;
	uint32_t propositions;
};

/* Is there a run that violates the formula?  If so, the answer is LP_NOT_FREE, and the lasso is such a run.  Its cycle begins
 * in the state that was discovered earliest.  The answer is LP_FREE_UNKNOWN if `go_on` (may be NULL) returned false before a
 * run was found, or if the product is too large. */
enum lp_freedom_answer lp_runs_decide(const struct lp_state_graph *, const struct lp_state_runs *, uint32_t processes,
				      bool (*go_on)(void *closure), void *closure, struct lp_lasso *);

#endif
