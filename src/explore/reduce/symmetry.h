/* symmetry.h -- explores one of the executions that differ only in the names of like threads.
 *
 * Kokologiannakis, Marmanis and Vafeiadis, "SPORE: Combining Symmetry and Partial Order Reduction", PLDI
 * 2024.  Like threads, which are declared or recognised (like_threads.h), run the same code with the same data.  So
 * exchanging the names of like threads turns an execution of the program into another execution of the program.  Of all
 * executions that differ only by such a renaming, one is explored.  It is chosen as follows: find the first events in which two like threads do
 * different things (read from different writes, or write); in the chosen execution, the event of the lower thread comes first in co.  (Of two
 * threads, the lower one has the lower number.  A read comes directly above the write that it reads from.)  If the threads choose different numbers,
 * or one of them fails spuriously, the lower thread has the higher number, or is the one that fails.  This order is called *canonical*.  As long as
 * two like threads have done the same, each event of the lower thread counts as part of the past of the corresponding event of the higher thread.  So
 * a write of the higher thread neither revisits nor removes these events of the lower thread.
 *
 * The memory that a thread owns (program.h: owner()) is renamed with the thread.  Accesses of the thread to
 * this memory make no difference until the thread has passed on its address.  So if two like threads each prepare a node
 * and then link it, the preparations count as the same, and the threads first differ in which of them links first.
 *
 * Under rc11 co alone does not give an order.  Of two corresponding reads of like threads, r and s, r can read from a write that is lower in
 * co than the one that s reads from, and yet this write can depend on s.  Then r still counts as the later of the two.  So reads are
 * compared by height: the height of a read is the highest place in co among the places of the read itself and of the corresponding reads in its past.
 * By heights, every set of like threads has an order in which no thread depends on a later one, and a maximal read can always be the last.  (If
 * heights are equal, several orders are explored.)
 *
 * Why nothing is lost: docs/soundness.md.
 */
#ifndef LP_EXPLORE_REDUCE_SYMMETRY_H
#define LP_EXPLORE_REDUCE_SYMMETRY_H

#include "graph/graph.h"

/* To be called when `e` was just added.  Adds to the porf clock of `e` the events of lower like threads that count as part of its past, as
 * above. */
void lp_symmetry_extend(struct lp_graph *, lp_eid e);

/* Are e and the corresponding events of like threads in the canonical order?  If not, the graph is not explored. */
bool lp_symmetry_accepts(const struct lp_graph *, lp_eid e);

/* Can the thread's event of that index, in this graph or in a graph that extends it, count as part of the past of an event of a higher like
 * thread? */
bool lp_symmetry_follows(const struct lp_graph *, uint32_t thread, uint32_t index);

#endif
