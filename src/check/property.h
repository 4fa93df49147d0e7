/* property.h -- properties by name. */
#ifndef LP_CHECK_PROPERTY_H
#define LP_CHECK_PROPERTY_H

#include "check/history/history_check.h"

/* "linearizable", "sequential", "quiescent", "serializable", or "quasi:" and what
 * lp_quasi_parse() understands: then `quasi` is filled; or what lp_weak_parse() understands: then `weak` is. That may be NULL:
 * then there are no such properties. */
bool lp_property_parse(const char *text, const struct lp_spec *spec, enum lp_property *property,
		       struct lp_quasi *quasi, struct lp_weak *weak, struct lp_error *error);

/* What a history is that has it: "sequentially consistent". */
const char *lp_property_claim(enum lp_property property, const struct lp_weak *weak);

#endif
