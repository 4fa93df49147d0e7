/* property.h -- properties by name. */
#ifndef LP_CHECK_PROPERTY_H
#define LP_CHECK_PROPERTY_H

#include "check/history/history_check.h"

/* Parses the name of a property.  Accepted are "linearizable", "sequential", "quiescent" and "serializable";
 * "quasi:" followed by what lp_quasi_parse() accepts, which is stored in `quasi`; and what lp_weak_parse()
 * accepts, which is stored in `weak`.  If `weak` is NULL, weak properties are not accepted. */
bool lp_property_parse(const char *text, const struct lp_spec *spec, enum lp_property *property,
		       struct lp_quasi *quasi, struct lp_weak *weak, struct lp_error *error);

/* Returns what is claimed of a history that has the property: "sequentially consistent". */
const char *lp_property_claim(enum lp_property property, const struct lp_weak *weak);

#endif
