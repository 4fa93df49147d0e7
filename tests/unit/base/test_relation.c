/* test_relation.c -- bit matrices against matrices of bool.
 *
 *     test_relation [--runs N] [--seed S]
 *
 * Every operation is done twice, here with loops straight from its definition.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/relation.h"
#include "expect.h"

enum { MAX = 200 };

static uint64_t random_state;

static uint32_t below(uint32_t n)
{
	random_state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = random_state;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(x >> 32) % n;
}

struct naive {
	bool has[MAX][MAX];
};

static uint32_t n; /* elements in this run */

static bool same(const struct lp_relation *r, const struct naive *m)
{
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b < n; b++)
			if (lp_relation_has(r, a, b) != m->has[a][b])
				return false;
		for (uint32_t bit = n; bit < r->words * 64; bit++)
			if (lp_relation_row_of(r, a)[bit / 64] >> bit % 64 & 1)
				return false; /* the invariant */
	}
	return true;
}

/* Each pair with probability 1/sparse; forward ones only, if `up`. */
static struct lp_relation *random_pair(struct lp_arena *arena, struct naive *m,
				       uint32_t sparse, bool up)
{
	struct lp_relation *r = lp_relation_new(arena, n);

	memset(m, 0, sizeof *m);
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = up ? a + 1 : 0; b < n; b++)
			if (!below(sparse)) {
				lp_relation_add(r, a, b);
				m->has[a][b] = true;
			}
	return r;
}

static struct lp_set *random_set(struct lp_arena *arena, bool *m)
{
	struct lp_set *s = lp_set_new(arena, n);

	for (uint32_t a = 0; a < n; a++)
		if ((m[a] = below(2)))
			lp_set_add(s, a);
	return s;
}

static void naive_close(struct naive *m)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t a = 0; a < n; a++)
			for (uint32_t b = 0; b < n; b++)
				for (uint32_t c = 0; m->has[a][b] && c < n; c++)
					if (m->has[b][c] && !m->has[a][c])
						changed = m->has[a][c] = true;
	}
}

/* The length of a shortest cycle: the least power of m with a diagonal entry. */
static uint32_t naive_girth(const struct naive *m)
{
	static struct naive power, next;

	power = *m;
	for (uint32_t length = 1; length <= n; length++) {
		for (uint32_t a = 0; a < n; a++)
			if (power.has[a][a])
				return length;
		memset(&next, 0, sizeof next);
		for (uint32_t a = 0; a < n; a++)
			for (uint32_t b = 0; b < n; b++)
				for (uint32_t c = 0; power.has[a][b] && c < n; c++)
					next.has[a][c] |= m->has[b][c];
		power = next;
	}
	return 0;
}

static void test_algebra(struct lp_arena *arena)
{
	static struct naive m, o, t;
	const uint32_t sparse = 1 + below(n + 2);
	struct lp_relation *r = random_pair(arena, &m, sparse, false);
	struct lp_relation *s = random_pair(arena, &o, 1 + below(8), false);
	struct lp_relation *into = random_pair(arena, &t, 2, false);
	const struct lp_relation *const kept_r = r, *const kept_s = s;

#define EACH(expression)                                   \
	for (uint32_t a = 0; a < n; a++)                   \
		for (uint32_t b = 0; b < n; b++)           \
			t.has[a][b] = (expression)

	lp_relation_copy(into, r);
	REQUIRE(same(into, &m) && lp_relation_equal(into, r));
	lp_relation_union(into, s);
	EACH(m.has[a][b] || o.has[a][b]);
	REQUIRE(same(into, &t));
	REQUIRE(lp_relation_equal(into, r) == same(r, &t));

	lp_relation_copy(into, r);
	lp_relation_intersect(into, s);
	EACH(m.has[a][b] && o.has[a][b]);
	REQUIRE(same(into, &t));

	lp_relation_copy(into, r);
	lp_relation_minus(into, s);
	EACH(m.has[a][b] && !o.has[a][b]);
	REQUIRE(same(into, &t));

	lp_relation_copy(into, r);
	lp_relation_add_identity(into);
	EACH(m.has[a][b] || a == b);
	REQUIRE(same(into, &t));
	REQUIRE(lp_relation_irreflexive(into) == (n == 0));

	lp_relation_drop_identity(into);
	EACH(m.has[a][b] && a != b);
	REQUIRE(same(into, &t) && lp_relation_irreflexive(into));

	lp_relation_inverse(into, r);
	EACH(m.has[b][a]);
	REQUIRE(same(into, &t));

	lp_relation_compose(into, r, s);
	memset(&t, 0, sizeof t);
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			for (uint32_t c = 0; m.has[a][b] && c < n; c++)
				t.has[a][c] |= o.has[b][c];
	REQUIRE(same(into, &t));

	bool domain[MAX], range[MAX];
	const struct lp_set *d = random_set(arena, domain), *g = random_set(arena, range);
	for (uint32_t a = 0; a < n; a++)
		REQUIRE(lp_set_has(d, a) == domain[a]);
	for (int which = 0; which < 4; which++) {
		lp_relation_copy(into, r);
		lp_relation_restrict(into, which & 1 ? d : NULL, which & 2 ? g : NULL);
		EACH(m.has[a][b] && (!(which & 1) || domain[a]) && (!(which & 2) || range[b]));
		REQUIRE(same(into, &t));
	}
	REQUIRE(same(kept_r, &m) && same(kept_s, &o)); /* operands are left alone */

	lp_relation_close(r);
	naive_close(&m);
	REQUIRE(same(r, &m));
}

static void test_cycles(struct lp_arena *arena)
{
	static struct naive m;
	struct lp_relation *r = random_pair(arena, &m, 1 + below(2 * n + 2), below(2));

	for (uint32_t back = n > 1 ? below(3) : 0; back; back--) { /* hide a few long ways back */
		const uint32_t b = below(n - 1), a = b + 1 + below(n - 1 - b);
		lp_relation_add(r, a, b);
		m.has[a][b] = true;
	}

	struct lp_cycle why = { NULL, 0 };
	const uint32_t girth = naive_girth(&m);
	const bool acyclic = lp_relation_acyclic(r, arena, &why);

	REQUIRE(acyclic == (girth == 0));
	REQUIRE(lp_relation_acyclic(r, arena, NULL) == acyclic);
	REQUIRE(why.count == girth);
	REQUIRE(same(r, &m));
	for (uint32_t i = 0; i < why.count; i++)
		REQUIRE(m.has[why.at[i]][why.at[(i + 1) % why.count]]);
}

int main(int argc, char **argv)
{
	uint64_t runs = 3000, seed = 1;
	struct lp_arena arena = { 0 };

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--runs"))
			runs = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 10);
	}
	printf("%llu runs from seed %llu\n", (unsigned long long)runs, (unsigned long long)seed);
	for (uint64_t i = 0; i < runs; i++) {
		static const uint32_t edges[] = { 0, 1, 2, 63, 64, 65, 127, 128, 129 };

		expect_seed = seed + i;
		random_state = expect_seed * UINT64_C(0xd1342543de82ef95);
		if (i % 50 == 0)
			n = 130 + below(MAX - 130);
		else if (i % 10 == 0)
			n = edges[below(9)];
		else
			n = below(20);
		const struct lp_arena_mark mark = lp_arena_mark(&arena);
		test_algebra(&arena);
		test_cycles(&arena);
		lp_arena_rewind(&arena, mark);
	}
	lp_arena_close(&arena);
	return 0;
}
