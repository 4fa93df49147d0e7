/* sampled.c -- converts sampled histories to the histories of src/history/. */
#include "cli/figures/sampled.h"

#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "check/clients/place.h"
#include "check/history/history_check.h"

int64_t lp_sampled_result(const struct lp_spec *spec, const struct lp_sampled_call *c)
{
	int64_t value;

	return lp_place_shaped(&spec->kind->methods[c->method], c->result, &value) ? value : LP_VOID;
}

void lp_sampled_to_history(const struct lp_sampled_history *h, const struct lp_spec *spec, struct lp_history *out)
{
	for (uint32_t i = 0; i < h->count; i++) {
		const struct lp_sampled_call *from = &h->call[i];
		const struct lp_method *m = &spec->kind->methods[from->method];
		char name[32];
		struct lp_call c = { .start = from->start, .end = from->end, .thread = i, .line = i + 1, .args = (uint8_t)m->args,
				     .arg = { from->arg }, .results = m->result != LP_NOTHING,
				     .result = lp_sampled_result(spec, from) };
		lp_method_name(m, name);
		c.method = lp_history_method(out, name, strlen(name));
		if (from->end == UINT32_MAX) {
			c.end = LP_PENDING;
			c.results = LP_RESULT_UNKNOWN;
		}
		LP_PUSH(out, c);
	}
}

bool lp_sampled_is_wrong(const struct lp_history *h, const struct lp_spec *spec)
{
	const struct lp_check_options options = { .property = LP_LINEARIZABLE };
	struct lp_check_result r = { 0 };
	struct lp_error error = { 0 };

	if (!lp_history_check(h, spec, &options, &r, &error))
		LP_BUG("a sampled history cannot be checked: %s", error.text);
	const bool wrong = r.finding == LP_WRONG;
	lp_check_result_close(&r);
	return wrong;
}
