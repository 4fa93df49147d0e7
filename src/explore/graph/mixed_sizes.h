/* mixed_sizes.h -- accesses of different sizes to the same memory.
 *
 *     both = load(&x.both);               store(&x.low, 1);
 *     cas(&x.both, both, both + 1);       r = load(&x.high);
 *
 * Two accesses that overlap are accesses to one location, which is accessed in parts (graph/parts.h).  This location is the
 * smallest range of up to 16 bytes, aligned to its size, that contains both accesses.  If there is no such range, or if one of the
 * accesses is to a location of linchpin's own (a mutex), the access is an error: "unsupported".  When an exploration meets an access
 * that overlaps with a location of its graph but has another range, the exploration restarts.  In the new pass the combined location
 * is known from the beginning, so every graph has the same locations.  All plain accesses to this location are then
 * events, because unordered accesses to different bytes of it do not race.
 *
 * Which executions are explored depends on the model.  Under all models each access takes place as a whole.
 * - sc: all executions.
 * - tso: the executions of a machine whose store buffers hold bytes.  Those with behaviour of sort 1 below are left out.
 * - ra and rc11: the executions in which the axioms hold for each byte, and in which all writes to the location have one total order such that each
 *   read sees the state after one of them.  Those with behaviour of sort 1 or 2 are left out.
 *
 *   1  A thread stores to some bytes, and then reads them together with others.  It may see its
 *      own store before other threads do, together with older values of the other bytes:
 *
 *          store(&x.low, 1);               store(&x.high, 1);
 *          a = load(&x.both);  // 1, 0     b = load(&x.both);  // 0, 1
 *
 *      No order of the two stores explains both a and b.  This matters only if another thread writes
 *      to those other bytes, and that write happens neither before nor after the thread's read.
 *   2  A write X comes before a write S in co, although X depends on S by po and rf.  In this example X is the store to x.high, and S the store to
 *      x.low:
 *
 *          store(&x.low, 1);               a = load(&x.both);  // 0, 1
 *          store(&x.high, 1);
 *
 *      The explorer treats a store to a part as an RMW that keeps the other bytes.  S would then read from X, which would be a
 *      cycle of po and rf.
 *
 * If either sort may occur, the verdict is "inconclusive" instead of "verified".
 *
 * Why 2 is always noticed.  Suppose that some executions are not visited, and let G be one of them with the fewest events.  Let
 * eco be the union of the bytes' rf, co and fr.  In each total order of the writes of G that contains co, some write X
 * comes before some write S although X depends on S, by po, rf and the reads of stores that keep bytes (except the
 * read of X itself).
 * - S and X overlap.  Then S is a store that keeps other bytes (if it were an RMW, its read would
 *   make a cycle of po and rf, thin air).  G without X and the events that depend on X is visited.  In that graph X is
 *   the next event; the explorer tries to put it below S in co, which is refused, and notes this
 *   (lp_mixed_misordered).
 * - S and X do not overlap.  There is a path of eco from X to S, since otherwise S could come before X.  If two ranges
 *   overlap, one contains the other, so the widest access e of the path contains both X and S.  The access e is later than X in
 *   the eco of a byte of X, or the path would be a cycle.  So e does not happen before X.  In the same way, S does not
 *   happen before e.  Both are true whatever write e reads from, and, if X is an RMW, whatever write X reads from,
 *   since the order from their own synchronisation is not counted.  So take G without its last event, and put this
 *   event back in a way that is visited: the resulting graph has such S, X and e, and this is noted (lp_mixed_note).
 * Plain stores never cause such a doubt.  Neither do stores that are made before the threads that
 * use the location have started.
 */
#ifndef LP_EXPLORE_GRAPH_MIXED_SIZES_H
#define LP_EXPLORE_GRAPH_MIXED_SIZES_H

#include <stdatomic.h>

#include "explore/ops.h"
#include "graph/graph.h"

struct lp_explorer;
struct lp_explore_options;
struct lp_machine;

/* What an exploration learns, in memory that its processes share. */
struct lp_parts_facts {
	atomic_bool met;        /* some location must be accessed in parts */
	atomic_bool told;       /* `range`, that location, is filled in */
	struct lp_range range;
	atomic_bool forwarded, misordered; /* behaviour of sort 1 (forwarded) or 2 (misordered) may occur */
};

/* Declares the locations that the options know to be accessed in parts.  To be called before the program
 * runs. */
void lp_mixed_begin(struct lp_explorer *);

/* Returns the STORE as the explorers see it.  If the store is to a part of its location, this is an RMW that keeps the other
 * bytes; otherwise it is the STORE itself.  The result is valid until the next call for the thread. */
const struct lp_op *lp_mixed_store(struct lp_machine *, lp_tid, const struct lp_op *);

/* To be called with two locations that overlap.  If one location can contain both, ends the exploration, so that it restarts
 * with that location, and returns true. */
bool lp_mixed_found(struct lp_explorer *, const struct lp_known_loc *, const struct lp_known_loc *);

/* The bytes of the location that have no initial value: bit i stands for byte i. */
uint16_t lp_mixed_unwritten(struct lp_program *, const struct lp_known_loc *);

/* To be called for each new event of the top frame on a location that is accessed in parts.  Notes if behaviour of sort 1 or 2 may
 * occur because of the event. */
void lp_mixed_note(struct lp_explorer *, lp_eid);

/* The explorer calls these when it refuses `proto` a place in co, to note that behaviour of sort 2 may occur.  In lp_mixed_misordered(),
 * `proto` is the read of an RMW, and the write of this RMW would come directly below the RMW with the read `rival`, on which
 * `proto` depends.  In lp_mixed_split(), `proto` is a write that at position `pos` would come between an RMW and the write that
 * this RMW reads from. */
void lp_mixed_misordered(struct lp_explorer *, const struct lp_event *proto, lp_eid rival);
void lp_mixed_split(struct lp_explorer *, const struct lp_event *proto, uint32_t pos);

/* Did the exploration end because it found a new location that is accessed in parts?  If so,
 * lp_mixed_heed() adds this location to the options for the restart. */
bool lp_mixed_parts_are_new(const struct lp_parts_facts *);
void lp_mixed_heed(const struct lp_parts_facts *, struct lp_explore_options *, struct lp_arena *);

/* The reason why the verdict cannot be "verified", if behaviour of sort 1 or 2 may occur; otherwise NULL. */
const char *lp_mixed_doubt(const struct lp_parts_facts *);

#endif
