/* sampled.h -- converts sampled histories to the histories of src/history/. */
#ifndef LP_CLI_FIGURES_SAMPLED_H
#define LP_CLI_FIGURES_SAMPLED_H

#include "cli/figures/sampled_history.h"
#include "history/history.h"

/* Returns the result in the form that the specification uses. */
int64_t lp_sampled_result(const struct lp_spec *, const struct lp_sampled_call *);

/* Appends the calls to the history. */
void lp_sampled_to_history(const struct lp_sampled_history *, const struct lp_spec *, struct lp_history *out);

/* Returns true if the history is wrong, that is, has no linearization. */
bool lp_sampled_is_wrong(const struct lp_history *, const struct lp_spec *);

#endif
