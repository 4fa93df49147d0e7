/* weaker_spec.c -- judges the history of a violation with more lenient specifications. */
#include "verify/view/weaker_spec.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/clients/clients.h"
#include "spec/spec.h"
#include "spec/traits.h"

/* The history that the report shows: the calls in the order that refutes them, and no other order. */
static bool allows(const struct lp_spec *spec, const struct lp_observation *o, const struct lp_refutation *why)
{
	struct lp_clients *clients = lp_clients_open(spec, LP_ORDERS_NONE, LP_SYNC_NONE, false);
	struct lp_observation shown = *o;
	struct lp_refutation ignored;

	memcpy(shown.before, why->before, sizeof shown.before);
	const bool right = lp_clients_judge(clients, &shown, &ignored) == LP_CLIENTS_RIGHT;
	lp_clients_close(clients);
	return right;
}

/* What the help says of a parameter that is 1 or 0, without the number. */
static const char *about(const struct lp_param *param)
{
	return strncmp(param->about, "1: ", 3) ? param->about : param->about + 3;
}

const char *lp_weaker_spec(const struct lp_spec *spec, const char *text, const struct lp_observation *o,
			   const struct lp_refutation *why, struct lp_arena *arena)
{
	struct lp_spec weaker;
	struct lp_error error;
	char name[256], hint[640];

	for (uint32_t i = 0; i < spec->kind->param_count; i++) {
		const struct lp_param *param = &spec->kind->params[i];
		if (spec->given[i] || !(lp_kind_traits(spec->kind)->overlap_params >> i & 1))
			continue;
		snprintf(name, sizeof name, "%s%c%s", text, strchr(text, ':') ? ',' : ':', param->name);
		/* Not all parameters go together. */
		if (!lp_spec_parse(&weaker, name, &error) || !allows(&weaker, o, why))
			continue;
		snprintf(hint, sizeof hint, "with --spec %s this history is allowed: %s", name, about(param));
		return lp_arena_strdup(arena, hint);
	}
	return NULL;
}
