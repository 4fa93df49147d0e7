/* mixed_sizes.h -- accesses of different sizes to the same memory.
 *
 *     both = load(&x.both);               store(&x.low, 1);
 *     cas(&x.both, both, both + 1);       r = load(&x.high);
 *
 * Accesses that overlap are to one location, which is accessed in parts (graph/parts.h): the smallest
 * range of up to 16 bytes, aligned to its size, that contains both.  If there is no such range, the
 * access is "unsupported".  When an exploration meets an access that overlaps with a location of its
 * graph and differs from it, it restarts with the range known from the beginning, so that every graph
 * has the same locations.  Then all plain accesses to the range are events, because unordered accesses
 * to different bytes of it do not race.
 *
 * Which executions are explored.  Under sc: all.  Under tso: those of a machine whose store buffers
 * hold bytes, except for one sort of behaviour (1).  Under ra and rc11: those in which the axioms hold
 * for each byte, and the writes to the location have one order such that each read sees a state of it;
 * except for two sorts of behaviour (1 and 2).  Under all models each access takes place as a whole.
 *
 *   1  A thread stores to some bytes, and then reads them together with others.  It may see its
 *      own store before other threads do, together with older values of the other bytes:
 *
 *          store(&x.low, 1);               store(&x.high, 1);
 *          a = load(&x.both);  // 1, 0     b = load(&x.both);  // 0, 1
 *
 *      No order of the two stores explains both a and b.  This matters only if another thread writes
 *      to those other bytes, and that write happens neither before nor after the thread's read.
 *   2  A write comes before another one in co, although it depends on it by po and rf:
 *
 *          store(&x.low, 1);               a = load(&x.both);  // 0, 1
 *          store(&x.high, 1);
 *
 *      A store to a part is an RMW that keeps the other bytes, so this would be a cycle of po and rf.
 *
 * If either sort may occur, the verdict is "inconclusive" instead of "verified".
 *
 * Why 2 is always noticed.  Let G be an execution with the fewest events of those that are not visited, and `eco` the
 * union of the bytes' rf, co and fr.  In each total order of its writes that contains co, some X comes
 * before some S, on which it depends by po, rf and what stores keep (X itself not counted).
 * - S and X overlap.  Then S is a store that keeps the rest (what an RMW reads is an edge of rf: no
 *   thin air).  Without X, and what depends on it, G is visited.  In that graph X is next; the explorer tries to put
 *   it below S, is refused, and notes that (lp_mixed_misordered).
 * - They do not.  There is a path of eco from X to S, or S could come first.  Ranges that overlap
 *   contain one another, so that the widest access e of the path contains both X and S.  It is later
 *   than X in the eco of a byte of X, or the path would be a cycle; so e does not happen before X.
 *   Likewise S does not happen before e.  Both hold whatever e reads from, and whatever X reads from if it is an RMW:
 *   what they synchronise with themselves is not counted.  So G without its last event, with that
 *   event put back in a way that is visited, has such S, X and e, and that is noted (lp_mixed_note).
 * So stores that are made before the threads that use a location start, and plain stores, cause no doubt.
 */
#ifndef LP_EXPLORE_GRAPH_MIXED_SIZES_H
#define LP_EXPLORE_GRAPH_MIXED_SIZES_H

#include <stdatomic.h>

#include "explore/ops.h"
#include "graph/graph.h"

struct lp_explorer;
struct lp_explore_options;
struct lp_machine;

/* What an exploration learns; shared by processes. */
struct lp_parts_facts {
	atomic_bool met;        /* some location must be accessed in parts */
	atomic_bool told;       /* `range`, that location, is filled in */
	struct lp_range range;
	atomic_bool forwarded, misordered; /* 1 and 2 may occur */
};

/* Declares the locations that are accessed in parts according to the options; before the program runs. */
void lp_mixed_begin(struct lp_explorer *);

/* The STORE as the explorers see it: if it is to a part of its location, an RMW that keeps the other
 * bytes.  The result is valid until the next call for the thread. */
const struct lp_op *lp_mixed_store(struct lp_machine *, lp_tid, const struct lp_op *);

/* The locations overlap.  If they can be one location, ends the exploration and returns true. */
bool lp_mixed_found(struct lp_explorer *, const struct lp_known_loc *, const struct lp_known_loc *);

/* The bytes of the location that were never written. */
uint16_t lp_mixed_unwritten(struct lp_program *, const struct lp_known_loc *);

/* Notes whether 1 or 2 may occur because of an event of the top frame on a part of a location. */
void lp_mixed_note(struct lp_explorer *, lp_eid);

/* A place in co is refused to `proto`: as an RMW it would come directly below `rival`, on which it
 * depends; or as a write at position `pos` it would come between an RMW and the write that this reads. */
void lp_mixed_misordered(struct lp_explorer *, const struct lp_event *proto, lp_eid rival);
void lp_mixed_split(struct lp_explorer *, const struct lp_event *proto, uint32_t pos);

/* Did the exploration end because of such a location?  If so, lp_mixed_heed() adds it to the options
 * for the restart. */
bool lp_mixed_parts_are_new(const struct lp_parts_facts *);
void lp_mixed_heed(const struct lp_parts_facts *, struct lp_explore_options *, struct lp_arena *);

/* Why the verdict cannot be "verified"; NULL if it can. */
const char *lp_mixed_doubt(const struct lp_parts_facts *);

#endif
