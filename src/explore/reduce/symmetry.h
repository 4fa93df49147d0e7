/* symmetry.h -- executions that differ in the names of like threads only.
 *
 * Kokologiannakis, Marmanis and Vafeiadis, "SPORE: Combining Symmetry and Partial Order Reduction", PLDI
 * 2024.  Threads that are declared alike run the same code with the same data, so renaming them turns an
 * execution into an execution.  Of all executions that differ only by such a renaming, one is explored: the
 * one in which, where two like threads first do different things (read from different writes, or write), the
 * lower one comes first in co.  As far as they have done the same, the lower one's events then count as part
 * of the past of the higher one's: a write of the higher thread neither revisits nor takes out what it can
 * only come after.
 *
 * What a thread owns (program.h: owner()) is renamed with it.  Its accesses there make no difference until it
 * has passed on the address.  So two threads that each prepare a node and then link it differ in which of
 * them links first, not in their nodes.
 *
 * Under rc11 co alone does not give an order: of two like reads, one can read from a write that is lower in
 * co, but depends on the other read.  It still counts as the later one: its height is the highest of its own
 * place in co and those of the like reads in its past.  By heights, every set of like threads has an order in
 * which no thread depends on a later one, and a maximal read can always be the last.  (Where such heights are
 * equal, several orders are explored.)
 *
 * Why nothing is lost: docs/soundness.md.
 */
#ifndef LP_EXPLORE_REDUCE_SYMMETRY_H
#define LP_EXPLORE_REDUCE_SYMMETRY_H

#include "graph/graph.h"

/* Adds what `e`, just added, comes after for this reason to its porf clock. */
void lp_symmetry_extend(struct lp_graph *, lp_eid e);

/* Is e in order with respect to the like events of like threads? */
bool lp_symmetry_accepts(const struct lp_graph *, lp_eid e);

/* May the thread's event of that index be in the past of an event of a higher thread, now or later, for this reason? */
bool lp_symmetry_follows(const struct lp_graph *, uint32_t thread, uint32_t index);

#endif
