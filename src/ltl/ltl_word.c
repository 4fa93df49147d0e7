/* ltl_word.c -- formulae on runs that end in a cycle (ltl_word.h).
 *
 * The letters at which a formula holds are computed from those at which its parts hold.  Until is the least set for which (a
 * U b) = b || (a && X (a U b)), release the greatest one for which (a R b) = b && (a || X (a R b)).  Two passes
 * backwards over the run compute this set, since from any letter on one round passes all other letters of the cycle.
 */
#include "ltl/ltl_word.h"

#include <string.h>

#include "base/alloc.h"

struct word {
	const struct lp_ltl *l;
	const uint32_t *letters;
	uint32_t count, loop;
	bool *holds; /* by formula and letter */
	bool *known; /* by formula */
};

static uint32_t after(const struct word *w, uint32_t i)
{
	return i + 1 < w->count ? i + 1 : w->loop;
}

static bool in_letter(const struct word *w, const struct lp_ltl_node *n, const bool *self, uint32_t i)
{
	const bool *a = w->holds + (size_t)n->a * w->count, *b = w->holds + (size_t)n->b * w->count;
	const uint32_t next = after(w, i);

	switch (n->op) {
	case LP_LTL_FALSE:
		return false;
	case LP_LTL_TRUE:
		return true;
	case LP_LTL_ATOM:
		return w->letters[i] >> n->a & 1;
	case LP_LTL_NOT:
		return !(w->letters[i] >> n->a & 1);
	case LP_LTL_AND:
		return a[i] && b[i];
	case LP_LTL_OR:
		return a[i] || b[i];
	case LP_LTL_NEXT:
		return a[next];
	case LP_LTL_UNTIL:
		return b[i] || (a[i] && self[next]);
	case LP_LTL_RELEASE:
		return b[i] && (a[i] || self[next]);
	}
	return false;
}

static void find(struct word *w, lp_ltl_id f)
{
	const struct lp_ltl_node *n = &w->l->nodes.at[f];
	bool *self = w->holds + (size_t)f * w->count;

	if (w->known[f])
		return;
	w->known[f] = true;
	if (n->op > LP_LTL_NOT)
		find(w, n->a);
	if (n->op > LP_LTL_NOT && n->op != LP_LTL_NEXT)
		find(w, n->b);
	memset(self, n->op == LP_LTL_RELEASE, sizeof *self * w->count);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = w->count; i-- > 0;)
			self[i] = in_letter(w, n, self, i);
}

bool lp_ltl_holds(const struct lp_ltl *l, lp_ltl_id f, const uint32_t *letters, uint32_t count, uint32_t loop)
{
	struct word w = { l, letters, count, loop, NULL, NULL };

	w.holds = lp_alloc_zero((size_t)l->nodes.count * count, sizeof *w.holds);
	w.known = lp_alloc_zero(l->nodes.count, sizeof *w.known);
	find(&w, f);
	const bool holds = w.holds[(size_t)f * count];
	lp_free(w.holds);
	lp_free(w.known);
	return holds;
}
