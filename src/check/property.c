/* property.c -- properties by name. */
#include "check/property.h"

#include <string.h>

#include "base/error.h"
#include "check/quasi/quasi.h"
#include "check/weak/weak.h"
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
		       struct lp_quasi *quasi, struct lp_weak *weak, struct lp_error *error)
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
	error->text[0] = '\0';
	if (weak && lp_weak_parse(weak, text, error)) {
		*property = LP_WEAK;
		return true;
	}
	if (weak && error->text[0])
		return false;
	return lp_fail(error, "unknown property '%s': it is one of linearizable, sequential, "
			      "quiescent, serializable, quasi:METHOD=NUMBER%s%s", text, weak ? ", " : "",
		       weak ? LP_WEAK_NAMES : "");
}

const char *lp_property_claim(enum lp_property property, const struct lp_weak *weak)
{
	return property == LP_WEAK ? weak->claim : names[property].claim;
}
