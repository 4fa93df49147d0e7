/* disorder.c -- random histories that are wrong in their order only. */
#include "disorder.h"

#include <string.h>

void disorder(struct lp_history *h, const struct lp_spec *spec, uint32_t calls,
		     struct random_source *r)
{
	char names[2][32];
	uint32_t open[4] = { 0 }, threads = 2 + below(r, 3), next = 0, *kept = lp_alloc(sizeof *kept * (calls + 1)), there = 0;
	const uint32_t lazy = below(r, 6), empty = 1 + below(r, 6), lost = below(r, 3);

	enum lp_shape inserted = LP_NOTHING;

	for (uint32_t m = 0; m < spec->kind->method_count; m++)
		for (uint32_t i = 0; i < 2; i++)
			if ((spec->kind->methods[m].roles & (i ? LP_REMOVES : LP_INSERTS)) &&
			    spec->kind->methods[m].args == 1 - i) {
				lp_method_name(&spec->kind->methods[m], names[i]);
				if (!i)
					inserted = spec->kind->methods[m].result;
			}
	for (int64_t now = 0; next < calls || below(r, 8); now++) {
		uint32_t *mine = &open[below(r, threads)];
		if (!*mine && next < calls) {
			const bool takes = next && below(r, 2);
			struct lp_call c = { .start = now, .end = LP_PENDING,
					     .thread = (uint32_t)(mine - open), .line = next + 1,
					     .args = !takes, .arg = { next + 1 },
					     .results = LP_RESULT_UNKNOWN };
			c.method = lp_history_method(h, names[takes], strlen(names[takes]));
			if (!takes)
				kept[there++] = next + 1;
			LP_PUSH(h, c);
			*mine = ++next;
		} else if (*mine && below(r, 6) >= lazy && (!lost || below(r, 12))) {
			struct lp_call *c = &h->at[*mine - 1];
			c->end = now;
			c->results = !c->args || inserted == LP_SUCCESS;
			c->result = 1;
			if (!c->args && (!there || below(r, empty) == 0)) {
				c->result = LP_EMPTY;
			} else if (!c->args) {
				const uint32_t i = below(r, there);
				c->result = kept[i];
				kept[i] = kept[--there];
			}
			*mine = 0;
		}
	}
	lp_free(kept);
}
