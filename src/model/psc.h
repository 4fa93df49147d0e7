/* psc.h -- the relation psc between seq_cst events in rc11, which must be acyclic.
 *
 * Unlike the other axioms of rc11, this one needs a search for cycles:
 *
 *     scb = po | (po \ loc) ; hb ; (po \ loc) | (hb & loc) | co | fr
 *     psc_base = ([SC] | [F & SC] ; hb?) ; scb ; ([SC] | hb? ; [F & SC])
 *     psc_F    = [F & SC] ; (hb | hb ; eco ; hb) ; [F & SC]
 *     acyclic (psc_base | psc_F)
 */
#ifndef LP_MODEL_PSC_H
#define LP_MODEL_PSC_H

#include "graph/graph.h"

/* Returns true if event `e` completes a cycle in psc.  The event must be the last of its thread, and the graph must be
 * consistent in all other respects. */
bool lp_psc_closes(const struct lp_graph *, lp_eid e);

#endif
