/* test_antichains.c -- the table of visited states against a list of all states that were added.
 *
 * A set is a number whose bits are its elements.  Few fingerprints, which begin at few slots, so that states share places.
 */
#include "explore/state/visited/antichains.h"

#include "base/alloc.h"
#include "explore/sample/rng.h"
#include "explore/state/state.h"

#include "../../../../expect.h"

enum { PRINTS = 24, SETS = 32, STATES = 400, RUNS = 60 };

static bool within(void *closure, uint32_t a, uint32_t b)
{
	(void)closure;
	return !(a & ~b);
}

static const struct lp_state_monitor monitor = { .within = within };

/* By record: what was added, and is still kept. */
struct kept {
	uint32_t print, set;
	bool there;
};

static struct lp_fingerprint print_of(uint32_t number)
{
	return (struct lp_fingerprint){ .a = number % 3, .b = number };
}

static bool is_covered(const struct kept *all, uint32_t count, uint32_t print, uint32_t set, bool exact)
{
	for (uint32_t i = 0; i < count; i++)
		if (all[i].there && all[i].print == print && (exact ? all[i].set == set : within(NULL, all[i].set, set)))
			return true;
	return false;
}

/* Those that the set displaces are listed, each once. */
static void test_displaced(struct lp_antichains *s, struct kept *all, uint32_t count, uint32_t print, uint32_t set, bool exact)
{
	uint32_t expected = 0;

	for (uint32_t i = 0; i < count; i++)
		expected += !exact && all[i].there && all[i].print == print && within(NULL, set, all[i].set);
	EXPECT(s->displaced.count == expected, "%u instead of %u", s->displaced.count, expected);
	for (uint32_t i = 0; i < s->displaced.count; i++) {
		struct kept *k = &all[s->displaced.at[i]];
		EXPECT(s->displaced.at[i] < count && k->there && k->print == print && within(NULL, set, k->set));
		k->there = false;
	}
	s->displaced.count = 0;
}

static void test_run(struct lp_rng *r, bool exact)
{
	struct lp_antichains s = { 0 };
	struct kept all[STATES];
	uint32_t count = 0;

	for (uint32_t i = 0; i < STATES; i++) {
		const uint32_t print = lp_rng_below(r, PRINTS), set = lp_rng_below(r, SETS);
		uint64_t slot;
		EXPECT(lp_antichains_reserve(&s, 1));
		const bool added = lp_antichains_add(&s, &monitor, exact,
						     (struct lp_antichain_place){ .print = print_of(print), .set = set, .record = count }, &slot);
		EXPECT(added == !is_covered(all, count, print, set, exact), "print %u, set %x", print, set);
		if (!added)
			continue;
		test_displaced(&s, all, count, print, set, exact);
		EXPECT(lp_antichains_at(&s, slot)->record == count);
		all[count++] = (struct kept){ print, set, true };
	}
	lp_antichains_close(&s);
}

/* The table grows: what was there is found. */
static void test_growth(void)
{
	struct lp_antichains s = { 0 };
	uint64_t slot;

	for (uint32_t i = 0; i < 5000; i++) {
		EXPECT(lp_antichains_reserve(&s, 1));
		EXPECT(lp_antichains_add(&s, &monitor, false,
					 (struct lp_antichain_place){ .print = { i, 7 }, .set = 6, .record = i }, &slot));
	}
	for (uint32_t i = 0; i < 5000; i++) {
		EXPECT(lp_antichains_reserve(&s, 1));
		EXPECT(!lp_antichains_add(&s, &monitor, false, (struct lp_antichain_place){ .print = { i, 7 }, .set = 7 }, &slot));
	}
	lp_antichains_close(&s);
}

int main(void)
{
	struct lp_rng r = { 34 };

	for (uint32_t i = 0; i < RUNS; i++)
		test_run(&r, i % 2);
	test_growth();
	return expect_status();
}
