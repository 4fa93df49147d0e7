/* symmetry.h -- explores one of the executions that differ only in the names of like threads.
 *
 * Kokologiannakis, Marmanis and Vafeiadis, "SPORE: Combining Symmetry and Partial Order Reduction", PLDI
 * 2024.  Like threads, which are declared or recognised (like_threads.h), run the same code with the same data, so renaming them
 * turns an execution into an execution.  Of all executions that differ only by such a renaming, one is explored: the
 * one in which, where two like threads first do different things (read from different writes, or write), the
 * lower one comes first in co.  As far as two like threads have done the same, the events of the lower one
 * then count as part of the past of the corresponding events of the higher one: a write of the higher thread
 * neither revisits nor removes them.
 *
 * The memory that a thread owns (program.h: owner()) is renamed with the thread.  Accesses of the thread to
 * this memory make no difference until it has passed on the address.  So two threads that each prepare a node
 * and then link it differ in which of them links first, not in their nodes.
 *
 * Under rc11 co alone does not give an order: of two like reads, one can read from a write that is lower in
 * co, but depends on the other read.  This read still counts as the later one: the height of a read is the highest
 * place in co among those of the read itself and of the like reads in its past.  By heights, every set of like
 * threads has an order in which no thread depends on a later one, and a maximal read can always be the last.
 * (If heights are equal, several orders are explored.)
 *
 * Why nothing is lost: docs/soundness.md.
 */
#ifndef LP_EXPLORE_REDUCE_SYMMETRY_H
#define LP_EXPLORE_REDUCE_SYMMETRY_H

#include "graph/graph.h"

/* Adds to the porf clock of `e` the events of lower like threads that count as its past, as above.  `e` was just
 * added. */
void lp_symmetry_extend(struct lp_graph *, lp_eid e);

/* Does e respect the order with the corresponding events of like threads? */
bool lp_symmetry_accepts(const struct lp_graph *, lp_eid e);

/* Can the thread's event of that index come to count as the past of an event of a higher like thread? */
bool lp_symmetry_follows(const struct lp_graph *, uint32_t thread, uint32_t index);

#endif
