/* test_clients_cases.c -- the check of all clients, on observations written by hand. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "check/clients/clients.h"
#include "expect.h"
#include "spec/spec.h"

static struct lp_spec spec;
static struct lp_observation o;

static void begin(const char *text)
{
	struct lp_error error;

	EXPECT(lp_spec_parse(&spec, text, &error));
	o = (struct lp_observation){ .exact = true };
}

static uint32_t call(const char *method, int64_t arg, int64_t result)
{
	const uint32_t a = o.count++;

	o.call[a] = (struct lp_observed){ .method = lp_method_named(spec.kind, method, strlen(method)),
					  .thread = a, .arg = { arg }, .result = result };
	o.happens[a] = o.reaches[a] = UINT32_C(1) << a;
	return a;
}

/* a happens before b, so that b cannot be made to come before a. */
static void happens(uint32_t a, uint32_t b)
{
	o.happens[a] |= UINT32_C(1) << b;
	o.reaches[a] |= UINT32_C(1) << b;
	o.clashes[b] |= UINT32_C(1) << a;
}

static bool is_right(enum lp_order_class class, enum lp_sync sync, struct lp_refutation *why,
		     struct lp_clients_counts *counts)
{
	struct lp_clients *c = lp_clients_open(&spec, class, sync, false);
	const bool right = lp_clients_judge(c, &o, why) == LP_CLIENTS_RIGHT;

	*counts = lp_clients_counts(c);
	lp_clients_close(c);
	return right;
}

/* With one insertion or the other last, the set is the same: what the object owes is not. */
static void test_last_insertion(void)
{
	struct lp_refutation why;
	struct lp_clients_counts counts;

	for (int first = 0; first < 2; first++) {
		begin("set");
		const uint32_t a = call("insert", 1, 1), b = call("insert", 1, 1);
		const uint32_t r = call("remove", 1, 1), c = call("contains", 1, 1);
		happens(a, r);
		happens(b, r);
		o.happens[first ? a : b] |= UINT32_C(1) << c;
		EXPECT(is_right(LP_ORDERS_NONE, LP_SYNC_R, &why, &counts));
		o.happens[a] &= ~(UINT32_C(1) << c);
		o.happens[b] &= ~(UINT32_C(1) << c);
		EXPECT(!is_right(LP_ORDERS_NONE, LP_SYNC_R, &why, &counts));
		EXPECT(why.sync_missing && (why.from == a || why.from == b) && why.to == c);
	}
}

/* Calls before the threads do not keep the threads from being chained. */
static void test_calls_before(void)
{
	struct lp_refutation why;
	struct lp_clients_counts counts;

	begin("register");
	const uint32_t first = call("write", 1, LP_VOID);
	const uint32_t w = call("write", 2, LP_VOID), r = call("read", 0, 1);
	o.before[w] = o.before[r] = UINT32_C(1) << first;
	EXPECT(!is_right(LP_ORDERS_CHAINS, LP_SYNC_NONE, &why, &counts));
	EXPECT(why.order_matters && why.before[r] >> w & 1);
	o.clashes[w] = UINT32_C(1) << r;
	EXPECT(is_right(LP_ORDERS_CHAINS, LP_SYNC_NONE, &why, &counts));
}

/* What does not matter is not tried: calls that change nothing, different keys.  The numbers of
 * orders would be of the size of those of partial orders else. */
static void test_what_does_not_matter(void)
{
	static const enum lp_order_class classes[] = { LP_ORDERS_ALL, LP_ORDERS_CHAINS,
						       LP_ORDERS_BLOCKS };
	struct lp_refutation why;
	struct lp_clients_counts counts;

	for (unsigned i = 0; i < 3; i++) {
		begin("set");
		for (int64_t k = 0; k < 10; k++)
			call(k % 2 ? "contains" : "insert", k, k % 2 ? 0 : 1);
		EXPECT(is_right(classes[i], LP_SYNC_NONE, &why, &counts));
		EXPECT(counts.linearizations == 1 && counts.orders == 0);

		/* Reads of one insertion, half of them before it. */
		begin("set");
		const uint32_t w = call("insert", 1, 1);
		for (uint32_t k = 0; k < 10; k++) {
			const uint32_t r = call("contains", 1, k < 5);
			if (k < 5)
				happens(w, r);
			else
				o.clashes[w] |= UINT32_C(1) << r;
			for (uint32_t early = 6; k < 5 && early < 11; early++)
				o.clashes[r] |= UINT32_C(1) << early;
		}
		EXPECT(is_right(classes[i], LP_SYNC_NONE, &why, &counts));
		EXPECT(counts.linearizations == 1 && counts.orders <= 100);
	}
}

/* Store buffering through a set: each key by itself is correct, whatever the order. */
static void test_keys_are_not_local(void)
{
	struct lp_refutation why;
	struct lp_clients_counts counts;

	begin("set");
	const uint32_t i1 = call("insert", 1, 1), c2 = call("contains", 2, 0);
	const uint32_t i2 = call("insert", 2, 1), c1 = call("contains", 1, 0);
	o.clashes[i1] |= UINT32_C(1) << c1;
	o.clashes[i2] |= UINT32_C(1) << c2;
	EXPECT(!is_right(LP_ORDERS_ALL, LP_SYNC_NONE, &why, &counts));
	EXPECT(why.before[c2] == UINT32_C(1) << i1 && why.before[c1] == UINT32_C(1) << i2);
	EXPECT(!is_right(LP_ORDERS_CHAINS, LP_SYNC_NONE, &why, &counts));
	EXPECT(is_right(LP_ORDERS_NONE, LP_SYNC_NONE, &why, &counts));
}

/* Insertions that are to be ordered with each other are so whatever their keys. */
static void test_keys_and_insertions(void)
{
	struct lp_refutation why;
	struct lp_clients_counts counts;

	begin("set");
	const uint32_t a = call("insert", 1, 1), b = call("insert", 2, 1);
	o.happens[a] |= UINT32_C(1) << b;
	EXPECT(is_right(LP_ORDERS_ALL, LP_SYNC_R, &why, &counts));
	EXPECT(!is_right(LP_ORDERS_ALL, LP_SYNC_RI, &why, &counts));
	EXPECT(why.sync_missing && why.from == b && why.to == a);
	o.clashes[b] |= UINT32_C(1) << a;
	EXPECT(is_right(LP_ORDERS_ALL, LP_SYNC_RI, &why, &counts));
}

/* Behind another write of the same value the read would be as correct, but owed another order. */
static void test_source_of_read(void)
{
	struct lp_refutation why;
	struct lp_clients_counts counts;

	begin("register");
	const uint32_t a = call("write", 1, LP_VOID), r = call("read", 0, 1);
	const uint32_t b = call("write", 1, LP_VOID);
	happens(a, r);
	EXPECT(is_right(LP_ORDERS_ALL, LP_SYNC_NONE, &why, &counts));
	EXPECT(!is_right(LP_ORDERS_ALL, LP_SYNC_R, &why, &counts));
	EXPECT(why.sync_missing && why.from == b && why.to == r);
	EXPECT(why.before[r] >> b & 1 && why.before[b] >> a & 1);
	o.happens[b] |= UINT32_C(1) << r;
	EXPECT(is_right(LP_ORDERS_ALL, LP_SYNC_R, &why, &counts));
}

/* Calls that change something, but can change places: no order among them needs to be tried.  What
 * reads in between ties those before it to those after it. */
static void test_what_commutes(void)
{
	struct lp_refutation why;
	struct lp_clients_counts counts;

	begin("counter");
	for (int i = 0; i < 12; i++)
		call("increment", 0, LP_VOID);
	EXPECT(is_right(LP_ORDERS_ALL, LP_SYNC_NONE, &why, &counts) && !counts.orders);
	begin("priority_queue");
	for (int i = 0; i < 9; i++)
		call("insert", i, LP_VOID);
	EXPECT(is_right(LP_ORDERS_ALL, LP_SYNC_NONE, &why, &counts) && !counts.orders);
	/* Three increments that the read has seen, and three that come after it. */
	begin("counter");
	for (int i = 0; i < 6; i++)
		call("increment", 0, LP_VOID);
	const uint32_t r = call("read", 0, 3);
	for (uint32_t i = 0; i < 3; i++) {
		happens(i, r);
		happens(r, i + 3);
		for (uint32_t k = 3; k < 6; k++)
			happens(i, k);
	}
	EXPECT(is_right(LP_ORDERS_ALL, LP_SYNC_NONE, &why, &counts) && counts.orders < 20);
	/* Nothing keeps a client from having a fourth one before it. */
	o.clashes[3] = 0;
	o.reaches[r] &= ~(UINT32_C(1) << 3);
	o.happens[r] &= ~(UINT32_C(1) << 3);
	EXPECT(!is_right(LP_ORDERS_ALL, LP_SYNC_NONE, &why, &counts) && why.before[r] >> 3 & 1);
}

static enum lp_answer put(struct lp_state *s, const struct lp_spec_call *c)
{
	lp_state_push(s, c->arg[0]);
	return LP_ACCEPTS;
}

/* Two must be there to get one. */
static enum lp_answer get_of_two(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->count < 2)
		return lp_answers(c, LP_EMPTY);
	const int64_t first = s->at[0];
	lp_state_remove(s, 0);
	return lp_answers(c, first);
}

/* Who writes a specification need not have values that come and go without each other. */
static void test_values_need_each_other(void)
{
	static const struct lp_method methods[] = {
		{ "put", 1, LP_NOTHING, LP_INSERTS, put },
		{ "get", 0, LP_VALUE_OR_EMPTY, LP_REMOVES | LP_OBSERVES, get_of_two },
	};
	static const struct lp_kind kind = { .name = "two", .methods = methods, .method_count = 2 };
	struct lp_refutation why;
	struct lp_clients_counts counts;

	begin("queue");
	spec = (struct lp_spec){ .kind = &kind };
	for (int64_t value = 1; value <= 3; value++)
		call("put", value, LP_VOID);
	call("get", 0, 1);
	call("get", 0, 2);
	EXPECT(is_right(LP_ORDERS_NONE, LP_SYNC_NONE, &why, &counts));
	call("get", 0, 3);
	EXPECT(!is_right(LP_ORDERS_NONE, LP_SYNC_NONE, &why, &counts));
}

/* "Empty" is put in and taken out, which looks as if nothing was there. */
static void test_empty_as_a_value(void)
{
	static const char *const specs[] = { "queue", "priority_queue" };
	struct lp_refutation why;
	struct lp_clients_counts counts;

	for (uint32_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		begin(specs[i]);
		const uint32_t a = call("enqueue", LP_EMPTY, LP_VOID), b = call("enqueue", 5, LP_VOID);
		call("dequeue", 0, LP_EMPTY);
		const uint32_t d = call("dequeue", 0, 5);
		o.before[b] = UINT32_C(1) << a;
		o.before[d] = UINT32_C(1) << a | UINT32_C(1) << b;
		EXPECT(is_right(LP_ORDERS_NONE, LP_SYNC_NONE, &why, &counts));
	}
}

int main(void)
{
	test_empty_as_a_value();
	test_values_need_each_other();
	test_what_commutes();
	test_source_of_read();
	test_keys_are_not_local();
	test_keys_and_insertions();
	test_last_insertion();
	test_calls_before();
	test_what_does_not_matter();
	return expect_status();
}
