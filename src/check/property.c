/* property.c -- properties by name. */
#include "check/property.h"

#include <string.h>

#include "base/error.h"
#include "check/quasi.h"
#include "spec/spec.h"

static const struct {
	const char *name, *claim;
} names[] = {
	[LP_LINEARIZABLE] = { "linearizable", "linearizable" },
	[LP_SEQUENTIAL] = { "sequential", "sequentially consistent" },
	[LP_QUIESCENT] = { "quiescent", "quiescently consistent" },
	[LP_SERIALIZABLE] = { "serializable", "serializable" },
	[LP_QUASI] = { "", "quasi-linearizable" },
};

enum { COUNT = sizeof names / sizeof *names };

bool lp_property_parse(const char *text, const struct lp_spec *spec, enum lp_property *property,
		       struct lp_quasi *quasi, struct lp_error *error)
{
	if (!strncmp(text, "quasi:", 6)) {
		*property = LP_QUASI;
		return lp_quasi_parse(quasi, text + 6, spec, error);
	}
	for (int i = 0; i < COUNT; i++)
		if (*text && !strcmp(names[i].name, text)) {
			*property = (enum lp_property)i;
			return true;
		}
	return lp_fail(error, "unknown property '%s': it is one of linearizable, sequential, "
			      "quiescent, serializable, quasi:METHOD=NUMBER", text);
}

const char *lp_property_claim(enum lp_property property)
{
	return names[property].claim;
}
