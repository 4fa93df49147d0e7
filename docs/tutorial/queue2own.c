/* The array queue again, and what it really is: a queue that may always say "empty". */
#include <linchpin.h>
#include <stdatomic.h>

/* ---- the specification: a state is the row of values that are in the queue ---- */

static enum lp_answer say_enqueue(struct lp_state *q, const struct lp_spec_call *c)
{
	lp_state_push(q, c->arg[0]);
	return LP_ACCEPTS;
}

static enum lp_answer say_dequeue(struct lp_state *q, const struct lp_spec_call *c)
{
	if (c->result && c->result[0] == LP_EMPTY)
		return LP_ACCEPTS; /* even if it is not empty */
	if (q->count == 0)
		return LP_REJECTS;
	const int64_t first = q->at[0];
	lp_state_remove(q, 0);
	return lp_answers(c, first);
}

static const struct lp_method methods[] = {
	{ "enqueue", 1, LP_NOTHING, LP_INSERTS, say_enqueue },
	{ "dequeue", 0, LP_VALUE_OR_EMPTY, LP_REMOVES, say_dequeue },
};

static const struct lp_kind lazy_queue = {
	"lazy_queue", "first in, first out; a removal may always find nothing",
	LP_DATA_EQUALITY, false, methods, 2, 0, 0, 0,
};

/* ---- the object ---- */

#ifndef PUT
#define PUT memory_order_release
#endif

static atomic_long item[16]; /* 0: nothing there */
static atomic_int head, tail;

LP_SPEC_OWN(lazy_queue)
LP_METHOD(enqueue, v)
{
	int t = atomic_fetch_add_explicit(&tail, 1, memory_order_relaxed);
	atomic_store_explicit(&item[t], v, PUT);
	return LP_VOID;
}
LP_METHOD(dequeue)
{
	for (int h = head; ; ) {
		long v = atomic_load_explicit(&item[h], memory_order_acquire);
		if (v == 0)
			return LP_EMPTY;
		if (atomic_compare_exchange_strong(&head, &h, h + 1))
			return v;
	}
}
