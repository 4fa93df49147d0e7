/* freedom.h -- decides progress properties on the graph of states: do calls return?
 *
 * The number of states is finite.  So it is enough to consider infinite runs that consist of a path to
 * a cycle and of the cycle, repeated forever (state_graph.h).  After Herlihy and Shavit ("On the nature
 * of progress", OPODIS 2011) the object is
 *
 *     obstruction-free   if no process that runs alone takes steps forever without its call returning
 *     lock-free          if calls return again and again as long as processes take steps
 *     wait-free          if no call takes steps forever
 *     deadlock-free      if it is lock-free under fair schedules
 *     starvation-free    if it is wait-free under fair schedules
 *
 * So the object has the property if no cycle violates it.  A schedule is (weakly) fair if no
 * process that is in a call and can take a step is passed over forever.  A process may stay
 * forever between two calls.  A process that waits, for a lock say, takes steps: each of these steps
 * leads from the state to itself.  A weak compare-exchange fails spuriously only finitely often, so it
 * never does so in a cycle.  Under a fair schedule a call may wait forever if the monitor allows this
 * in every state of the cycle (for example, if another process holds the lock).
 *
 * Which reductions are sound here.
 *   - Symmetry.  States that differ only in the names of processes are the same node.  If a cycle of
 *     this graph is repeated often enough, every process returns to the name with which it began.  The
 *     process whose call does not return is followed edge by edge.  Fairness concerns all processes at
 *     once, so under fair schedules symmetry is off.
 *   - Steps that no other process can observe may be merged into one transition.  Every order of the
 *     observable steps remains, and every process keeps its transitions in every state.  A transition
 *     has at most LP_STATE_DEPTH operations, so a process that takes unobservable steps forever still
 *     makes transitions forever.  Calls begin later and returns come earlier, but only by finitely
 *     many steps.
 *   - Antichains are off: they compare which returns are correct, not whether calls return.
 */
#ifndef LP_EXPLORE_STATE_LIVE_FREEDOM_H
#define LP_EXPLORE_STATE_LIVE_FREEDOM_H

#include "explore/state/live/components.h"
#include "explore/state/state.h"

struct lp_state_graph;

/* An infinite run that violates a property.  Its cycle leads from `state` along `edges` back to
 * `state`. */
struct lp_lasso {
	uint32_t state;
	uint32_t process; /* the process whose call does not return, by its number in `state` */
	struct lp_way_edges edges;
	/* If `given`: the path from the first state to `state`.  Otherwise `stem` is empty, and the path is
	 * the one on which the search has reached `state`. */
	struct lp_way_edges stem;
	bool given;
};

enum lp_freedom_answer { LP_FREE, LP_NOT_FREE, LP_FREE_UNKNOWN };

/* Is there a cycle that violates the property?  If so, the answer is LP_NOT_FREE, and the lasso has such
 * a cycle, through the state that was discovered earliest.  The answer is LP_FREE_UNKNOWN if `go_on`
 * (may be NULL) returned false before a cycle was found, or if the graph is too large. */
enum lp_freedom_answer lp_freedom_decide(const struct lp_state_graph *, enum lp_freedom,
					 uint32_t processes, bool (*go_on)(void *closure),
					 void *closure, struct lp_lasso *);
void lp_lasso_close(struct lp_lasso *);

/* The name of a property, such as "lock-free". */
const char *lp_freedom_name(enum lp_freedom);
static inline bool lp_freedom_is_fair(enum lp_freedom f)
{
	return f == LP_DEADLOCK_FREE || f == LP_STARVATION_FREE;
}

#endif
