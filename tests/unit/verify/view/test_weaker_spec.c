/* test_weaker_spec.c -- histories by hand, and the parameter that a report names for them. */
#include "verify/view/weaker_spec.h"

#include "base/alloc.h"
#include "base/error.h"
#include "check/clients/clients.h"
#include "expect.h"
#include "spec/spec.h"

#include <string.h>

static struct lp_observation history;

static uint32_t add(const struct lp_spec *spec, const char *method, int64_t arg, int64_t result, uint32_t after)
{
	const uint32_t i = history.count++;

	history.call[i] = (struct lp_observed){ .method = lp_method_named(spec->kind, method, strlen(method)), .thread = i,
						.arg = { arg }, .result = result };
	history.before[i] = after;
	return i;
}

/* The history is wrong by the specification, and the hint begins with `expected`; NULL: there is none. */
static void expect_hint(const struct lp_spec *spec, const char *text, const char *expected, struct lp_arena *arena)
{
	struct lp_clients *clients = lp_clients_open(spec, LP_ORDERS_NONE, LP_SYNC_NONE, false);
	struct lp_refutation why;

	EXPECT(lp_clients_judge(clients, &history, &why) == LP_CLIENTS_WRONG);
	const char *hint = lp_weaker_spec(spec, text, &history, &why, arena);
	EXPECT(expected ? hint && !strncmp(hint, expected, strlen(expected)) : !hint);
	lp_clients_close(clients);
}

/* A dequeue finds nothing, although there is a value: enqueue(1) has returned, and so has enqueue(2).  If `overlaps`, another
 * dequeue, which removes 1, is made at the same time. */
static void test_empty(const char *text, bool overlaps, const char *expected, struct lp_arena *arena)
{
	struct lp_error error;
	struct lp_spec spec;

	EXPECT(lp_spec_parse(&spec, text, &error));
	history = (struct lp_observation){ .count = 0 };
	const uint32_t one = 1u << add(&spec, "enqueue", 1, 1, 0);
	const uint32_t two = 1u << add(&spec, "enqueue", 2, 1, one);
	if (overlaps)
		add(&spec, "dequeue", 0, 1, one | two);
	add(&spec, "dequeue", 0, LP_EMPTY, one | two);
	expect_hint(&spec, text, expected, arena);
}

/* As in a ring: enqueue(1) has reserved its slot, but not filled it, and hides 2 from the dequeue. */
static void test_hidden(const char *text, const char *expected, struct lp_arena *arena)
{
	struct lp_error error;
	struct lp_spec spec;

	EXPECT(lp_spec_parse(&spec, text, &error));
	history = (struct lp_observation){ .count = 0 };
	add(&spec, "enqueue", 1, 1, 0);
	add(&spec, "dequeue", 0, LP_EMPTY, 1u << add(&spec, "enqueue", 2, 1, 0));
	expect_hint(&spec, text, expected, arena);
}

/* It seems full, while one is removed: `values` of two are there. */
static void test_full(const char *text, uint32_t values, const char *expected, struct lp_arena *arena)
{
	struct lp_error error;
	struct lp_spec spec;
	uint32_t before = 0;

	EXPECT(lp_spec_parse(&spec, text, &error));
	history = (struct lp_observation){ .count = 0 };
	for (uint32_t i = 0; i < values; i++)
		before |= 1u << add(&spec, "enqueue", i + 1, 1, before);
	add(&spec, "dequeue", 0, values ? 1 : LP_EMPTY, before);
	add(&spec, "enqueue", 9, 0, before);
	expect_hint(&spec, text, expected, arena);
}

/* A kind of the user's that has the name of a built-in one has no parameters that we know of. */
static void test_own(struct lp_arena *arena)
{
	struct lp_error error;
	struct lp_spec spec;

	EXPECT(lp_spec_parse(&spec, "queue:bounded=2", &error));
	struct lp_kind own = *spec.kind;
	spec.kind = &own;
	history = (struct lp_observation){ .count = 0 };
	add(&spec, "dequeue", 0, LP_EMPTY, 0);
	add(&spec, "enqueue", 1, 0, 0);
	expect_hint(&spec, "queue:bounded=2", NULL, arena);
}

int main(void)
{
	struct lp_arena arena = { 0 };

	test_hidden("queue", "with --spec queue:weak this history is allowed: ", &arena);
	test_hidden("queue:weak=0", "with --spec queue:weak=0,contended this history is allowed: ", &arena);
	test_empty("queue", true, "with --spec queue:contended this history is allowed: ", &arena);
	test_empty("queue", false, NULL, &arena);
	test_full("queue:bounded=2", 1, "with --spec queue:bounded=2,contended this history is allowed: ", &arena);
	test_full("queue:bounded=2,contended=0,weak=0", 1, NULL, &arena);
	test_own(&arena);
	lp_arena_close(&arena);
	return expect_status();
}
