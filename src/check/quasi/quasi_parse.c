/* quasi_parse.c -- parses the classes and factors that the user gives. */
#include "check/quasi/quasi.h"

#include <string.h>

#include "base/error.h"
#include "spec/spec.h"
#include "spec/traits.h"

/* "enqueue+front" or "*" */
static bool parse_methods(const char *text, size_t length, const struct lp_kind *kind,
			  uint64_t *methods, struct lp_error *error)
{
	if (length == 1 && *text == '*') {
		*methods = kind->method_count >= 64 ? UINT64_MAX :
						      (UINT64_C(1) << kind->method_count) - 1;
		return true;
	}
	for (const char *end = text + length; text <= end;) {
		const char *plus = memchr(text, '+', (size_t)(end - text));
		const size_t size = (size_t)((plus ? plus : end) - text);
		const uint32_t m = lp_method_named(kind, text, size);
		if (m == LP_NO_METHOD || !size)
			return lp_fail(error, "%s has no method '%.*s'", kind->name, (int)size, text);
		*methods |= UINT64_C(1) << m;
		text += size + 1;
	}
	return true;
}

/* "2" or "any" */
static bool parse_factor(const char *text, size_t length, uint32_t *factor)
{
	uint64_t sum = 0;

	if (length == 3 && !memcmp(text, "any", 3)) {
		*factor = LP_ANY_DISTANCE;
		return true;
	}
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		sum = sum * 10 + (uint64_t)(text[i] - '0');
		if (sum >= LP_ANY_DISTANCE)
			return false;
	}
	*factor = (uint32_t)sum;
	return length > 0;
}

static bool add_class(struct lp_quasi *quasi, uint64_t methods, uint32_t factor)
{
	if (quasi->count == LP_MAX_CLASSES)
		return false;
	quasi->classes[quasi->count].methods = methods;
	quasi->classes[quasi->count++].factor = factor;
	return true;
}

bool lp_quasi_parse(struct lp_quasi *quasi, const char *text, const struct lp_spec *spec,
		    struct lp_error *error)
{
	const struct lp_kind *kind = spec->kind;
	uint64_t named = 0;

	if (lp_kind_is_builtin(kind) && lp_kind_traits(kind)->by_thread)
		return lp_fail(error, "quasi: calls of a %s belong to threads, and cannot change places",
			       kind->name);
	*quasi = (struct lp_quasi){ 0 };
	for (;;) {
		const size_t length = strcspn(text, ",");
		const char *equals = memchr(text, '=', length);
		uint64_t methods = 0;
		uint32_t factor;

		if (!equals)
			return lp_fail(error, "quasi: takes METHOD=NUMBER, not '%.*s'", (int)length, text);
		if (!parse_methods(text, (size_t)(equals - text), kind, &methods, error))
			return false;
		if (!parse_factor(equals + 1, length - (size_t)(equals + 1 - text), &factor))
			return lp_fail(error, "quasi: a factor is a whole number or 'any', not '%.*s'",
				       (int)(text + length - equals - 1), equals + 1);
		if (!add_class(quasi, methods, factor))
			return lp_fail(error, "quasi: more than %d classes", LP_MAX_CLASSES);
		named |= methods;
		text += length;
		if (!*text++)
			break;
	}
	for (uint32_t m = 0; m < kind->method_count && m < 64; m++)
		if (!(named >> m & 1) && !add_class(quasi, UINT64_C(1) << m, 0))
			return lp_fail(error, "quasi: more than %d classes", LP_MAX_CLASSES);
	return true;
}
