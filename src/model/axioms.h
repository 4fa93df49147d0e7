/* axioms.h -- the models as their papers have them, for debug builds.
 *
 * The explorers ask a model about one event at a time, and keep happens-before in clocks.  The naive version here checks the
 * answers and the clocks: it builds the relations between all events, computes their transitive closures, and evaluates the
 * axioms on them, in cubic time.
 */
#ifndef LP_MODEL_AXIOMS_H
#define LP_MODEL_AXIOMS_H

#include "model/model.h"

enum { LP_AXIOMS_MOST = 160 };

enum lp_axioms_answer {
	LP_AXIOMS_HOLD,
	LP_AXIOMS_BROKEN,
	LP_AXIOMS_UNKNOWN, /* more than LP_AXIOMS_MOST events, or a location that is accessed in parts */
};

/* Do the hb clocks agree with the definition of happens-before, and do the axioms of the model
 * hold? */
enum lp_axioms_answer lp_axioms_judge(const struct lp_model_class *, const struct lp_graph *);

#endif
