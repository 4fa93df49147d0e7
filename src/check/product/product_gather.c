/* product_gather.c -- gathers the ways that the ways of a shape can become, in their normal forms (product_alike.c). */
#include <string.h>

#include "check/product/product_parts.h"

/* Which codes ways must have to be useful: for each seat, a set of the codes that it may have other than pending ones.  With more than 64
 * codes, several codes share a bit. */
struct wanted {
	uint64_t codes[LP_PRODUCT_THREADS];
};

static uint64_t code_bit(uint32_t code) { return UINT64_C(1) << code % 64; }

static void want(const struct lp_product *p, struct wanted *w, const uint64_t *way)
{
	for (uint32_t t = 0; t < p->threads; t++)
		w->codes[t] |= code_bit(lp_way_code(p, way, t));
}

/* A necessary condition for `from`, or a permutation of it, to become `to`: since calls that have taken effect keep their codes, every code
 * of `from` that is not pending must be a code of `to` in the same class.  Both are in their normal forms. */
static bool might_become(const struct lp_product *p, const uint64_t *from, const uint64_t *to)
{
	uint32_t next = 0, end = 0; /* the first seat of the class whose code in `to` is not used; the end of the class */

	for (uint32_t i = 0; i < p->threads; i++) {
		const uint32_t code = lp_way_code(p, from, i);
		if (i == end) {
			next = end++;
			while (end < p->threads && p->draft.alike.before[end] != LP_NOT_ALIKE)
				end++;
		}
		if (lp_code_is_pending(p, code))
			continue;
		while (next < end && lp_way_code(p, to, next) != code)
			next++;
		if (next++ == end)
			return false;
	}
	return true;
}

/* Puts the normal form of the way into the gathering. */
static uint32_t add_way(struct lp_product *p, const uint64_t *from)
{
	uint64_t way[LP_WAY_WORDS];

	memcpy(way, from, sizeof *way * p->words);
	lp_alike_sort(p, &p->draft.alike, way);
	return lp_gathering_add(p, &p->draft.gathering, way);
}

/* Adds the normal forms of the ways that `way` becomes when the call in the seat takes effect, and marks them.  If a code is given, only
 * effects with this code count. */
static void let_take_effect(struct lp_product *p, const uint64_t *way, uint32_t thread,
			    uint32_t only, const struct wanted *wanted, uint8_t mark)
{
	const uint32_t code = lp_way_code(p, way, thread);
	const uint32_t before = p->draft.alike.before[thread];
	uint64_t next[LP_WAY_WORDS];
	uint32_t count;

	if (!lp_code_is_pending(p, code) || (before != LP_NOT_ALIKE && lp_way_code(p, way, before) == code))
		return;
	const struct lp_effect *e = lp_product_effects(p, lp_way_state(way), code - 1, &count);
	memcpy(next, way, sizeof *way * p->words);
	for (uint32_t i = 0; i < count; i++) {
		if ((only && e[i].code != only) ||
		    (wanted && !(wanted->codes[thread] & code_bit(e[i].code))))
			continue;
		next[0] = (next[0] & ~(uint64_t)UINT32_MAX) | e[i].state;
		lp_way_set_code(p, next, thread, e[i].code);
		const uint32_t at = add_way(p, next);
		p->draft.gathering.marks.at[at] |= mark;
	}
}

/* Copies the i-th way of the gathering, since ways move when the gathering grows. */
static void take_way(const struct lp_product *p, uint32_t i, uint64_t *way)
{
	memcpy(way, lp_gathering_way(p, &p->draft.gathering, i), sizeof *way * p->words);
}

/* The way and its permutations, one for each code that the process can have, if that code is pending or `done`.  A call that is excused may
 * have failed before all others that are pending take effect, since it changes nothing. */
static void gather_permutations(struct lp_product *p, const struct lp_seated *s, const uint64_t *way, uint32_t done, bool excused)
{
	const struct lp_set_shape *shape = &p->known.shapes.at[s->set.shape];
	const uint32_t first = lp_way_code(p, way, s->seat);

	for (uint32_t i = s->seat; i < p->threads && (i == s->seat || !(shape->starts >> i & 1)); i++) {
		const uint32_t code = lp_way_code(p, way, i);
		uint64_t other[LP_WAY_WORDS];
		if ((i > s->seat && lp_way_code(p, way, i - 1) == code) || (code != done && !lp_code_is_pending(p, code)))
			continue;
		memcpy(other, way, sizeof *way * p->words);
		lp_way_set_code(p, other, i, first);
		lp_way_set_code(p, other, s->seat, code);
		add_way(p, other);
		if (excused) {
			lp_way_set_code(p, other, s->seat, done);
			add_way(p, other);
		}
	}
}

void lp_gather_returns(struct lp_product *p, const struct lp_seated *s, uint32_t done, bool excused)
{
	struct lp_gathering *g = &p->draft.gathering;
	struct wanted wanted = { { 0 } };
	uint64_t way[LP_WAY_WORDS];
	uint32_t candidates = 0;

	lp_gathering_clear(g);
	lp_alike_of(p, &p->known.shapes.at[s->set.shape], s->seat, &p->draft.alike);
	for (uint32_t i = 0; i < p->known.shapes.at[s->set.shape].count; i++)
		gather_permutations(p, s, lp_shape_way(p, s->set.shape, i), done, excused);
	for (uint32_t i = 0; i < g->marks.count; i++) {
		take_way(p, i, way);
		if (lp_way_code(p, way, s->seat) == done) {
			want(p, &wanted, way);
			candidates++;
			continue;
		}
		for (uint32_t t = 0; t < p->threads; t++)
			let_take_effect(p, way, t, t == s->seat ? done : 0, NULL, 0);
	}
	lp_alike_spread(p, &p->draft.alike, wanted.codes);
	for (uint32_t i = 0; candidates > 1 && i < g->marks.count; i++) {
		take_way(p, i, way);
		if (lp_way_code(p, way, s->seat) == done)
			for (uint32_t t = 0; t < p->threads; t++)
				let_take_effect(p, way, t, 0, &wanted, LP_BELOW);
	}
}

void lp_gather_all(struct lp_product *p, uint32_t shape)
{
	uint64_t way[LP_WAY_WORDS];

	lp_gathering_clear(&p->draft.gathering);
	lp_alike_of(p, &p->known.shapes.at[shape], LP_NOT_ALIKE, &p->draft.alike);
	for (uint32_t i = 0; i < p->known.shapes.at[shape].count; i++)
		add_way(p, lp_shape_way(p, shape, i));
	for (uint32_t i = 0; i < p->draft.gathering.marks.count; i++) {
		take_way(p, i, way);
		for (uint32_t t = 0; t < p->threads; t++)
			let_take_effect(p, way, t, 0, NULL, 0);
	}
}

bool lp_gather_toward(struct lp_product *p, uint32_t shape, const uint64_t *to)
{
	struct wanted wanted = { { 0 } };
	uint64_t target[LP_WAY_WORDS], way[LP_WAY_WORDS];
	bool reached = false;

	lp_gathering_clear(&p->draft.gathering);
	lp_alike_of(p, &p->known.shapes.at[shape], LP_NOT_ALIKE, &p->draft.alike);
	memcpy(target, to, sizeof *to * p->words);
	lp_alike_sort(p, &p->draft.alike, target);
	want(p, &wanted, target);
	lp_alike_spread(p, &p->draft.alike, wanted.codes);
	for (uint32_t i = 0; i < p->known.shapes.at[shape].count; i++)
		if (might_become(p, lp_shape_way(p, shape, i), target))
			lp_gathering_add(p, &p->draft.gathering, lp_shape_way(p, shape, i));
	for (uint32_t i = 0; i < p->draft.gathering.marks.count && !reached; i++) {
		take_way(p, i, way);
		reached = !memcmp(way, target, sizeof *way * p->words);
		for (uint32_t t = 0; t < p->threads && !reached && might_become(p, way, target); t++)
			let_take_effect(p, way, t, 0, &wanted, 0);
	}
	return reached;
}
