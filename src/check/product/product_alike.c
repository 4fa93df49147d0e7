/* product_alike.c -- processes that are interchangeable in a set.
 *
 * Example: of eight processes, six have called push() and none of these calls has returned.  Which of them have taken effect is
 * one of 2^6 possibilities; how many is one of 7.
 *
 * Claim.  Let two processes be *alike* in a set if exchanging them in all of its ways gives the same set.  Then all that the
 * ways can become can be gathered up to permutations of processes that are alike: every way is replaced by the one with the
 * codes of alike processes in ascending order (its normal form).
 *
 * Argument.  A permutation g of alike processes maps the set to itself.  Effects do not depend on the numbers of processes: if
 * v becomes w, then g(v) becomes g(w).  So w can be reached from the set if and only if g(w) can, and the normal forms that are
 * gathered are those of the ways that can be reached.  "w is below another candidate" holds for w if and only if it holds
 * for g(w), since g permutes the candidates, too; so a mark on the normal form is a mark on all of its permutations.  The
 * process that returns counts as alike to none, because candidates are those in which its call has taken effect.
 */
#include <string.h>

#include "check/product/product_parts.h"

#define NOT_KNOWN (LP_NOT_ALIKE - 1)

static int compare(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Ways of a set are in ascending order. */
static bool has_way(const struct lp_product *p, uint32_t set, const uint64_t *way)
{
	uint32_t from = 0, to = p->sets.at[set].count;

	while (from < to) {
		const uint32_t middle = (from + to) / 2;
		const int order = compare(lp_set_way(p, set, middle), way, p->words);
		if (!order)
			return true;
		if (order < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

static bool are_alike(struct lp_product *p, uint32_t set, uint32_t a, uint32_t b)
{
	if (lp_product_look(p, set, a) != lp_product_look(p, set, b))
		return false;
	for (uint32_t i = 0; i < p->sets.at[set].count; i++) {
		uint64_t way[LP_WAY_WORDS];
		memcpy(way, lp_set_way(p, set, i), sizeof *way * p->words);
		const uint32_t code = lp_way_code(p, way, a);
		if (code == lp_way_code(p, way, b))
			continue;
		lp_way_set_code(p, way, a, lp_way_code(p, way, b));
		lp_way_set_code(p, way, b, code);
		if (!has_way(p, set, way))
			return false;
	}
	return true;
}

static uint8_t find_before(struct lp_product *p, uint32_t set, uint32_t t)
{
	if (!lp_way_code(p, lp_set_way(p, set, 0), t))
		return LP_NOT_ALIKE; /* it is idle, and has no effect */
	for (uint32_t u = t; u-- > 0;)
		if (are_alike(p, set, u, t))
			return (uint8_t)u;
	return LP_NOT_ALIKE;
}

/* By process, for the set; they are found once. */
static const uint8_t *all_before(struct lp_product *p, uint32_t set)
{
	const uint32_t first = set * p->threads;

	while (p->alikes.count < p->sets.count * p->threads)
		LP_PUSH(&p->alikes, NOT_KNOWN);
	for (uint32_t t = 0; p->alikes.at[first] == NOT_KNOWN && t < p->threads; t++) {
		const uint32_t last = p->threads - 1 - t; /* the first process at last */
		p->alikes.at[first + last] = find_before(p, set, last);
	}
	return p->alikes.at + first;
}

void lp_alike_find(struct lp_product *p, uint32_t set, uint32_t but, struct lp_alike *alike)
{
	const uint8_t *before = all_before(p, set);

	alike->any = false;
	for (uint32_t t = 0; t < p->threads; t++) {
		alike->before[t] = t == but ? LP_NOT_ALIKE : but != LP_NOT_ALIKE && before[t] == but ? before[but] : before[t];
		alike->any |= alike->before[t] != LP_NOT_ALIKE;
	}
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

/* The first `count` processes get the codes of those that they are alike to, in every order.  The last of them gets each code that one of
 * its class has, once; then come those before it. */
static void permute(struct lp_product *p, const struct lp_alike *alike, uint64_t *way, uint32_t count)
{
	uint32_t seen[LP_PRODUCT_THREADS], codes = 0;

	while (count && alike->before[count - 1] == LP_NOT_ALIKE)
		count--;
	if (!count) {
		lp_product_find(p, way);
		return;
	}
	const uint32_t last = count - 1, mine = lp_way_code(p, way, last);
	for (uint32_t u = last; u != LP_NOT_ALIKE; u = alike->before[u]) {
		const uint32_t code = lp_way_code(p, way, u);
		uint32_t i = 0;
		while (i < codes && seen[i] != code)
			i++;
		if (i < codes)
			continue;
		seen[codes++] = code;
		lp_way_set_code(p, way, u, mine);
		lp_way_set_code(p, way, last, code);
		permute(p, alike, way, last);
		lp_way_set_code(p, way, last, mine);
		lp_way_set_code(p, way, u, code);
	}
}

void lp_alike_find_all(struct lp_product *p, const struct lp_alike *alike, uint64_t *way)
{
	permute(p, alike, way, alike->any ? p->threads : 0);
}
