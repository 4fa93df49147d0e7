#include <linchpin.h>
#include <stdatomic.h>

/* A pointer and, in its upper 16 bits, a number that tells it from itself later. */
typedef uintptr_t word;
struct node { atomic_long value; _Atomic word next; };
static _Atomic word head, tail, stamp;

#define node(w) ((struct node *)((w) & 0xffffffffffff))
#define with(n, tag) ((word)(n) | (word)(tag) << 48)
#define after(n, w) with(n, ((w) >> 48) + 1)
#define load(p) atomic_load_explicit(p, memory_order_acquire)
#define cas(p, old, new) atomic_compare_exchange_strong_explicit(p, \
	&(word){ old }, new, memory_order_acq_rel, memory_order_relaxed)

static struct node *fresh(long value)
{
	struct node *n = lp_pool_alloc(sizeof *n);
	atomic_store_explicit(&n->value, value, memory_order_relaxed);
	atomic_store_explicit(&n->next, with(0, stamp++), memory_order_release);
	return n;
}

static void enqueue(long value)
{
	struct node *n = fresh(value);
	for (;;) {
		word t = load(&tail), next = load(&node(t)->next);
		if (load(&tail) != t)
			continue; /* that was not a node of the queue any more */
		if (node(next))
			cas(&tail, t, after(node(next), t));
		else if (cas(&node(t)->next, next, after(n, next))) {
			cas(&tail, t, after(n, t));
			return;
		}
	}
}

static int dequeue(long *value)
{
	for (;;) {
		word h = load(&head), t = load(&tail), next = load(&node(h)->next);
		if (load(&head) != h)
			continue;
		if (!node(next))
			return 0;
		if (node(h) == node(t)) {
			cas(&tail, t, after(node(next), t));
			continue;
		}
		*value = atomic_load_explicit(&node(next)->value, memory_order_relaxed);
		if (cas(&head, h, after(node(next), h))) {
			lp_pool_free(node(h));
			return 1;
		}
	}
}

LP_SPEC("queue")
LP_SETUP { head = tail = with(fresh(0), 0); }
LP_METHOD(enqueue, v) { enqueue(v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return dequeue(&v) ? v : LP_EMPTY; }
