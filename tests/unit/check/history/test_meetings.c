/* test_meetings.c -- calls that take effect together, for all clients.
 *
 * Observations of a synchronous queue by hand.  Where an execution says that two calls
 * each saw something of the other, no client can have ordered them.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "check/clients/clients.h"
#include "spec/spec.h"

static int failures;

/* Calls: e1 is enqueue(1), d1 is dequeue() -> 1; capitals never return.  Then pairs of
 * calls, by number: what the first did is seen by the second. */
static void expect(bool right, const char *spec_text, enum lp_order_class class,
		   const char *calls, const char *seen)
{
	struct lp_observation o = { .exact = true };
	struct lp_refutation why;
	struct lp_spec spec;
	struct lp_error error;

	lp_spec_parse(&spec, spec_text, &error);
	for (const char *at = calls; *at; at += at[2] ? 3 : 2) {
		const bool in = *at == 'e' || *at == 'E';
		struct lp_observed *c = &o.call[o.count];
		*c = (struct lp_observed){ .thread = o.count, .stuck = *at == 'E' || *at == 'D',
					   .result = in ? LP_VOID : at[1] - '0' };
		c->arg[0] = at[1] - '0';
		c->method = lp_method_named(spec.kind, in ? "enqueue" : "dequeue", 7);
		o.count++;
	}
	for (const char *at = seen; *at; at += at[2] ? 3 : 2)
		o.reaches[at[0] - '0'] |= UINT32_C(1) << (at[1] - '0');
	for (int cached = 0; cached < 2; cached++) {
		struct lp_clients *c = lp_clients_open(&spec, class, LP_SYNC_NONE, cached);
		if ((lp_clients_judge(c, &o, &why) == LP_CLIENTS_RIGHT) != right) {
			fprintf(stderr, "%s, class %d, %s (%s) is %s\n", spec_text, (int)class, calls,
				seen, right ? "right" : "wrong");
			failures++;
		}
		lp_clients_close(c);
	}
}

int main(void)
{
	static const char *const sync = "queue:synchronous";
	static const enum lp_order_class ordered[] = { LP_ORDERS_ALL, LP_ORDERS_CHAINS,
						       LP_ORDERS_BLOCKS };

	for (int i = 0; i < 3; i++) {
		expect(true, sync, ordered[i], "e1 d1", "01 10");
		/* Some client has them one after the other, and then they do not meet. */
		expect(false, sync, ordered[i], "e1 d1", "01");
		expect(false, sync, ordered[i], "d1 e1", "10");
		expect(false, sync, ordered[i], "e1 d1", "");
		expect(true, "queue", ordered[i], "e1 d1", "01");
		expect(false, sync, ordered[i], "e1 e2 d1 d2", "02 20 13");
		expect(true, sync, ordered[i], "e1 e2 d1 d2", "02 20 13 31");
		expect(false, sync, ordered[i], "e1 e2 d1 d2", "03 30 12 21");
	}
	expect(true, sync, LP_ORDERS_NONE, "e1 d1", "");
	expect(false, sync, LP_ORDERS_NONE, "e1", "");
	expect(false, sync, LP_ORDERS_NONE, "e1 d2", "01 10");
	/* Who is not met waits, rightly; who was met does not. */
	expect(true, sync, LP_ORDERS_ALL, "E1", "");
	expect(true, sync, LP_ORDERS_ALL, "D1", "");
	expect(true, sync, LP_ORDERS_ALL, "e1 d1 E2", "01 10");
	expect(false, sync, LP_ORDERS_ALL, "e1 D1", "");
	expect(false, sync, LP_ORDERS_ALL, "E1 d1", "01");
	expect(false, "queue:blocking", LP_ORDERS_ALL, "E1", "");
	expect(true, "queue:blocking", LP_ORDERS_ALL, "D1", "");
	expect(false, "queue:blocking", LP_ORDERS_ALL, "e1 D1", "");
	return failures != 0;
}
