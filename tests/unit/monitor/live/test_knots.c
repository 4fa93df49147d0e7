/* test_knots.c -- stacks whose values are connected by overlapping calls: found correct, found wrong, given up.
 *
 * Values 1 .. n lie on top of each other.  Calls of neighbours overlap, by turns at the
 * pushes and at the pops, so that all of them are one knot (live_stack.c):
 *
 *     push(2) |--|      push(4) |--|               pop -> 4 |----|
 *     push(3)  |--|     push(5)  |--|     ...      pop -> 3   |--|   ...
 *
 * Written as a row of events; each two that stand together overlap.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "monitor/live/live_checker.h"

static struct lp_spec spec;
static int failures;

struct call {
	struct lp_live_call c;
	uint64_t handle;
};

static void begin(struct lp_live *live, struct call *call)
{
	live->rank++;
	live->now = call->c.start;
	live->kind->start(live, &call->c, &call->handle, false);
}

static void finish(struct lp_live *live, struct call *call)
{
	live->rank++;
	live->now = call->c.end;
	live->kind->end(live, &call->c, call->handle);
}

/* Two calls that overlap: a starts first and ends first. */
static void both(struct lp_live *live, struct call *a, struct call *b, uint64_t *time)
{
	a->c.start = ++*time;
	b->c.start = ++*time;
	a->c.end = ++*time;
	b->c.end = ++*time;
	begin(live, a);
	begin(live, b);
	finish(live, a);
	finish(live, b);
}

static void one(struct lp_live *live, struct call *a, uint64_t *time)
{
	a->c.start = ++*time;
	a->c.end = ++*time;
	begin(live, a);
	finish(live, a);
}

static struct call push(uint32_t value)
{
	return (struct call){ .c = { .arg = value,
				     .result = LP_VOID,
				     .method = lp_method_named(spec.kind, "push", 4) } };
}

static struct call pop(uint32_t value)
{
	return (struct call){ .c = { .arg = LP_VOID,
				     .result = value,
				     .method = lp_method_named(spec.kind, "pop", 3) } };
}

/* n is odd.  If `wrong`, that value leaves after the one below it. */
static void play(struct lp_live *live, uint32_t n, uint32_t wrong)
{
	uint64_t time = 1;
	struct call a = push(1), b;

	one(live, &a, &time);
	for (uint32_t v = 2; v + 1 <= n; v += 2) {
		a = push(v + 1); /* it is above v, but certain earlier */
		b = push(v);
		both(live, &a, &b, &time);
	}
	a = pop(n);
	one(live, &a, &time);
	for (uint32_t v = n - 1; v >= 2 && !live->stuck && !live->wrong; v -= 2) {
		a = pop(v - 1); /* it is below v, but starts to leave earlier */
		b = pop(v);
		if (v == wrong) {
			one(live, &a, &time);
			one(live, &b, &time);
		} else {
			both(live, &a, &b, &time);
		}
	}
}

static void expect(const char *what, uint32_t n, uint32_t wrong, bool finds, const char *gives_up)
{
	struct lp_live live;

	if (!lp_live_open(&live, &lp_live_stack, &spec, 1u << 20, 0))
		exit(1);
	live.kind->forget(&live, false, 0);
	play(&live, n, wrong);
	const bool good = live.wrong == finds && !live.stuck == !gives_up &&
			  (!gives_up || strstr(live.stuck, gives_up));
	printf("%-4s %-28s %s, %s\n", good ? "ok" : "FAIL", what, live.wrong ? live.why : "not wrong",
	       live.stuck ? live.stuck : "not given up");
	failures += !good;
	lp_live_close(&live);
}

/* Neither a bound nor waiting makes a difference. */
static void test(const char *text)
{
	struct lp_error error;

	if (!lp_spec_parse(&spec, text, &error))
		exit(1);
	expect("small", 99, 0, false, NULL);
	expect("small, wrong", 99, 50, true, NULL);
	expect("large", 40001, 0, false, NULL);
	expect("large, wrong", 40001, 20000, true, NULL);
	expect("too large", 100001, 0, false, "overlapping calls");
	expect("too large, wrong before", 100001, 90000, true, NULL);
}

int main(void)
{
	test("stack");
	test("stack:bounded=200000");
	test("stack:blocking");
	return failures != 0;
}
