/* freedom.h -- do calls return?  Properties of progress, decided on the graph of states.
 *
 * A run that goes on forever is a way to a cycle and then the cycle (state_graph.h).  With
 * Herlihy and Shavit ("On the nature of progress", OPODIS 2011) the object is
 *
 *     obstruction-free   if no process goes on forever alone, its call not returning
 *     lock-free          if whenever processes go on forever, some call returns
 *     wait-free          if no call goes on forever
 *     deadlock-free      lock-free as long as the schedule is fair
 *     starvation-free    wait-free as long as the schedule is fair
 *
 * that is, if there is no cycle of the contrary.  A schedule is fair (weakly) if no process
 * that is in a call and can go on is passed over forever.  A process between two calls may
 * stay there.  One that waits for a lock, say, goes on by waiting: its step leads from the
 * state to itself.  A compare-exchange that is weak fails for no reason only so many times:
 * never in a cycle.  Where the schedule is fair, a call may wait forever if the monitor
 * says so of every state of the cycle (a lock that another process keeps).
 *
 * Which reductions stay right.
 *   - Symmetry: a cycle through states up to the names of processes, gone again and again,
 *     comes back to the very same names.  Whose call it is that does not return is followed
 *     edge by edge.  Fairness is about all processes at once: no symmetry there.
 *   - What goes with a transition though nobody sees it: every order of what can be seen is
 *     still there, no state leaves a process out, and a process that does nothing else
 *     forever has its transitions cut to pieces.  Calls begin later and returns come earlier, by
 *     finitely many steps.
 *   - Antichains are about what returns mean, not whether they come: there are none.
 */
#ifndef LP_EXPLORE_STATE_FREEDOM_H
#define LP_EXPLORE_STATE_FREEDOM_H

#include "base/vec.h"
#include "explore/state/state.h"

struct lp_state_graph;

/* The cycle: from that state by these edges, one after the other, back to it. */
struct lp_lasso {
	uint32_t state;
	uint32_t process; /* as it is numbered there: whose call does not return */
	struct { LP_VEC(uint32_t); } edges;
};

enum lp_freedom_answer { LP_FREE, LP_NOT_FREE, LP_FREE_UNKNOWN };

/* Is there a cycle of the contrary?  It is one with a state that was found as early as can
 * be.  Unknown if that was not to be found out: `go_on` (may be NULL) did not want to. */
enum lp_freedom_answer lp_freedom_decide(const struct lp_state_graph *, enum lp_freedom,
					 uint32_t processes, bool (*go_on)(void *closure),
					 void *closure, struct lp_lasso *);
void lp_lasso_close(struct lp_lasso *);

/* "lock-free", ... */
const char *lp_freedom_name(enum lp_freedom);
static inline bool lp_freedom_is_fair(enum lp_freedom f)
{
	return f == LP_DEADLOCK_FREE || f == LP_STARVATION_FREE;
}

#endif
