/* traits.c -- finds the traits of a kind.  About a user's kind, nothing is known. */
#include "spec/traits.h"

#include "spec/spec.h"

/* The steps of a user's kind may depend on the thread. */
static const struct lp_traits unknown = { .by_thread = true };

bool lp_kind_is_builtin(const struct lp_kind *kind)
{
	return lp_kind_traits(kind) != &unknown;
}

const struct lp_traits *lp_kind_traits(const struct lp_kind *kind)
{
#define LP_KIND(name) \
	if (kind == &lp_kind_##name.kind) \
		return &lp_kind_##name.traits;
#include "spec/kinds.def"
#undef LP_KIND
	return &unknown;
}

enum lp_verb lp_kind_verb(const struct lp_kind *kind, uint32_t method)
{
	const struct lp_method_traits *methods = lp_kind_traits(kind)->methods;

	return methods ? methods[method].verb : LP_VERB_OTHER;
}

uint32_t lp_kind_method(const struct lp_kind *kind, enum lp_verb verb)
{
	const struct lp_method_traits *methods = lp_kind_traits(kind)->methods;

	for (uint32_t m = 0; methods && m < kind->method_count; m++)
		if (methods[m].verb == verb)
			return m;
	return LP_NO_METHOD;
}
