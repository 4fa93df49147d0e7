/* product_alike.c -- finds processes that are interchangeable in a set, and so the classes of seats (product_parts.h).
 *
 * Example: of eight processes, six have called push() and none of these calls has returned.  There are 2^6 possibilities which of
 * these calls have taken effect, but only 7 possibilities how many have.
 *
 * Claim.  Two processes are *alike* in a set if exchanging them in all of its ways gives the same set.  When the ways that the
 * ways of a set can become are gathered, every way can be replaced by its normal form, in which the codes of alike processes
 * ascend.
 *
 * Argument.  A permutation g of alike processes maps the set to itself.  Effects do not depend on the numbers of processes: if
 * v becomes w, then g(v) becomes g(w).  So w can be reached from the set if and only if g(w) can, and the normal forms that are
 * gathered are those of the ways that can be reached.  Some other gathered way can become w (LP_BELOW) if and only if some
 * gathered way can become g(w), since g permutes the gathered ways, too.  So a mark on the normal form is a mark on all of its
 * permutations.  The process that returns counts as alike to no other process, because only ways in which its call has taken
 * effect are gathered.
 */
#include "check/product/product_parts.h"

void lp_alike_of(const struct lp_product *p, const struct lp_set_shape *shape, uint32_t but, struct lp_alike *alike)
{
	alike->any = false;
	for (uint32_t i = 0; i < p->threads; i++) {
		const bool first = shape->starts >> i & 1 || i == but || i == but + 1;
		alike->before[i] = first ? LP_NOT_ALIKE : (uint8_t)(i - 1);
		alike->any |= !first;
	}
}

void lp_alike_classes(const struct lp_product *p, const struct lp_alike *alike, uint8_t *class_of)
{
	for (uint32_t i = 0; i < p->threads; i++)
		class_of[i] = alike->before[i] == LP_NOT_ALIKE ? (uint8_t)i : class_of[alike->before[i]];
}

void lp_alike_sort(const struct lp_product *p, const struct lp_alike *alike, uint64_t *way)
{
	for (uint32_t t = 1; alike->any && t < p->threads; t++)
		for (uint32_t at = t; alike->before[at] != LP_NOT_ALIKE; at = alike->before[at]) {
			const uint32_t mine = lp_way_code(p, way, at);
			const uint32_t others = lp_way_code(p, way, alike->before[at]);
			if (others <= mine)
				break;
			lp_way_set_code(p, way, at, others);
			lp_way_set_code(p, way, alike->before[at], mine);
		}
}

void lp_alike_spread(const struct lp_product *p, const struct lp_alike *alike, uint64_t *codes)
{
	for (uint32_t t = 0; t < p->threads; t++)
		if (alike->before[t] != LP_NOT_ALIKE)
			codes[t] |= codes[alike->before[t]];
	for (uint32_t t = p->threads; t-- > 0;)
		if (alike->before[t] != LP_NOT_ALIKE)
			codes[alike->before[t]] |= codes[t];
}
