/* axioms.h -- the models as their papers have them, for debug builds.
 *
 * The explorers ask a model about one event at a time, and keep happens-before in clocks.  This is the naive version of both:
 * relations between all events, closed and looked through.  It takes cubic time.
 */
#ifndef LP_MODEL_AXIOMS_H
#define LP_MODEL_AXIOMS_H

#include "model/model.h"

/* Are the hb clocks those of the definition, and do the axioms of the model hold?  Of graphs with more than LP_AXIOMS_MOST events, or with
 * locations that are accessed in parts, it is not known: true. */
bool lp_axioms_hold(const struct lp_model_class *, const struct lp_graph *);

enum { LP_AXIOMS_MOST = 160 };

#endif
