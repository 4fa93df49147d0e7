/* mixed_sizes.h -- accesses of different sizes to the same memory.
 *
 *     both = load(&x.both);               store(&x.low, 1);
 *     cas(&x.both, both, both + 1);       r = load(&x.high);
 *
 * What overlaps is one location, accessed in parts (graph/parts.h): the smallest range of up to 16
 * bytes, aligned to its size, that contains both accesses.  Where there is no such
 * range, the access is "unsupported".  When an exploration meets an access that overlaps with
 * a location of its graph and is not the same, it ends, and restarts with the range known from the
 * beginning, so that every graph has the same locations.  All plain accesses to the range are
 * events then, since unordered accesses to other bytes of it are no races.
 *
 * What is explored.  Under sc all executions.  Under tso those of a machine whose store buffers
 * hold bytes, but for one sort of behaviour (1).  Under ra and rc11 those in which, for each
 * byte, the axioms hold, and the writes to the location come in one order, of which each read sees a
 * state; but for two sorts of behaviour (1, 2).  In all of them each access takes place as a whole.
 *
 *   1  A thread has stored to some bytes, and reads them together with others.  It may
 *      see its own store before other threads do, together with older values of the other bytes:
 *
 *          store(&x.low, 1);               store(&x.high, 1);
 *          a = load(&x.both);  // 1, 0     b = load(&x.both);  // 0, 1
 *
 *      No state of x is both a and b.  That matters if another thread writes to those other bytes, and
 *      that write happens neither before the thread's read nor after it.
 *   2  A write comes before another one in co though it depends on it by po and rf:
 *
 *          store(&x.low, 1);               a = load(&x.both);  // 0, 1
 *          store(&x.high, 1);
 *
 *      Since the write to the other part keeps the rest, that would be a cycle of po and rf.
 *
 * Where either may be, "verified" becomes "inconclusive".
 *
 * Of 2.  Let G be an execution with the fewest events of those that are not visited, and `eco` the
 * union of the bytes' rf, co and fr.  In each total order of its writes that contains co, some X comes
 * before some S, on which it depends by po, rf and what stores keep (X itself not counted).
 * - S and X overlap.  Then S is a store that keeps the rest (what an RMW reads is an edge of rf: no
 *   thin air).  Without X, and what depends on it, G is visited; there X is next, to put it below S is
 *   tried, and it is noted that this is refused (lp_parts_misordered).
 * - They do not.  There is a path of eco from X to S, or S could come first.  Ranges that overlap
 *   contain one another, so that the widest access e of the path contains both X and S.  It is later
 *   than X in the eco of a byte of X, or the path would be a cycle; so e does not happen before X.
 *   Likewise S does not happen before e.  Either is so whatever e, or X if it is an RMW, reads from:
 *   what they synchronise with themselves is not counted.  So G without its last event, with that
 *   event put back in a way that is visited, has such S, X and e, and that is noted (lp_parts_note).
 * Stores before the threads that use a location are begun, or plain ones, are thereby no problem.
 */
#ifndef LP_EXPLORE_GRAPH_MIXED_SIZES_H
#define LP_EXPLORE_GRAPH_MIXED_SIZES_H

#include <stdatomic.h>

#include "explore/ops.h"
#include "graph/graph.h"

struct lp_explorer;
struct lp_explore_options;
struct lp_machine;

/* What an exploration finds out; shared by processes. */
struct lp_parts_facts {
	atomic_bool met;        /* a location that must be accessed in parts: */
	atomic_bool told;       /* `range` is filled in */
	struct lp_range range;
	atomic_bool forwarded, misordered; /* 1 and 2 may be */
};

/* Makes the locations known that the options say are accessed in parts, before the program runs. */
void lp_parts_begin(struct lp_explorer *);

/* The STORE as the explorers see it: if it is to a part of its location, as an RMW that keeps the
 * rest; which lives until the next call for the thread. */
const struct lp_op *lp_parts_store(struct lp_machine *, lp_tid, const struct lp_op *);

/* The locations overlap.  True, and the exploration is over, if they can be one. */
bool lp_parts_found(struct lp_explorer *, const struct lp_known_loc *, const struct lp_known_loc *);

/* The bytes of the location that were never written. */
uint16_t lp_parts_unwritten(struct lp_program *, const struct lp_known_loc *);

/* Takes notice of an event of the top frame that is on a part of a location: of 1 and 2. */
void lp_parts_note(struct lp_explorer *, lp_eid);

/* `proto`, which would be an RMW directly below `rival` in co, is in its future; or it would be a
 * write at position `pos`, between an RMW and what that reads. */
void lp_parts_misordered(struct lp_explorer *, const struct lp_event *proto, lp_eid rival);
void lp_parts_split(struct lp_explorer *, const struct lp_event *proto, uint32_t pos);

/* Has it ended because of such a location?  Then that is added to the options, for a restart. */
bool lp_parts_are_new(const struct lp_parts_facts *);
void lp_parts_heed(const struct lp_parts_facts *, struct lp_explore_options *, struct lp_arena *);

/* Why "verified" is not known; NULL if it is. */
const char *lp_parts_doubt(const struct lp_parts_facts *);

#endif
