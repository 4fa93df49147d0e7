/* psc.h -- the order of seq_cst events, the part of rc11 that needs a search.
 *
 *     scb = po | (po \ loc) ; hb ; (po \ loc) | (hb & loc) | co | fr
 *     psc_base = ([SC] | [F & SC] ; hb?) ; scb ; ([SC] | hb? ; [F & SC])
 *     psc_F    = [F & SC] ; (hb | hb ; eco ; hb) ; [F & SC]
 *     acyclic (psc_base | psc_F)
 */
#ifndef LP_MODEL_PSC_H
#define LP_MODEL_PSC_H

#include "graph/graph.h"

/* Does event `e`, the last of an otherwise consistent graph, close a cycle of psc? */
bool lp_psc_closes(const struct lp_graph *, lp_eid e);

#endif
