/* property.c -- properties by name. */
#include "check/property.h"

#include <string.h>

#include "base/error.h"

static const struct {
	const char *name, *claim, *noun;
} names[] = {
	[LP_LINEARIZABLE] = { "linearizable", "linearizable", "linearizability" },
	[LP_SEQUENTIAL] = { "sequential", "sequentially consistent", "sequential consistency" },
	[LP_QUIESCENT] = { "quiescent", "quiescently consistent", "quiescent consistency" },
	[LP_SERIALIZABLE] = { "serializable", "serializable", "serializability" },
};

enum { COUNT = sizeof names / sizeof *names };

bool lp_property_parse(const char *text, enum lp_property *property, struct lp_error *error)
{
	for (int i = 0; i < COUNT; i++)
		if (!strcmp(names[i].name, text)) {
			*property = (enum lp_property)i;
			return true;
		}
	return lp_fail(error, "unknown property '%s': it is one of linearizable, sequential, "
			      "quiescent, serializable", text);
}

const char *lp_property_claim(enum lp_property property)
{
	return names[property].claim;
}

const char *lp_property_noun(enum lp_property property)
{
	return names[property].noun;
}
