/* msqueue.h -- the queue of Michael and Scott (PODC 1996), for as many threads as you like.
 *
 * Nodes come from a pool and are named by their index.  A pointer is an index with a
 * count of how often it was changed, so that a node that comes back is not taken for
 * the one that was there before: memory is never given back to the system while the
 * queue is in use, and reading an old node is harmless.
 *
 * Every thread has a list of nodes of its own, which it refills from the pool.
 *
 * -DBUG: a new node is linked without checking whether another thread was faster, so
 * that values are lost when two threads enqueue at the same time.  Nodes are not used
 * again then, because the program could hang before the error is reported.
 */
#ifndef MSQUEUE_H
#define MSQUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define MS_NONE UINT32_MAX

struct ms_node {
	_Atomic uint64_t next;
	_Atomic int64_t value;
};

struct msqueue {
	_Alignas(128) _Atomic uint64_t head;
	_Alignas(128) _Atomic uint64_t tail;
	_Alignas(128) _Atomic uint32_t used; /* of the pool */
	uint32_t size;
	struct ms_node *nodes;
};

/* A thread's own nodes, linked by `next`. */
struct ms_thread {
	uint32_t free;
};

static inline uint32_t ms_index(uint64_t p)
{
	return (uint32_t)p;
}

/* A pointer to `index` to be put where `old` is. */
static inline uint64_t ms_pointer(uint64_t old, uint32_t index)
{
	return ((old >> 32) + 1) << 32 | index;
}

static inline bool msqueue_open(struct msqueue *q, uint32_t size)
{
	q->nodes = calloc(size, sizeof *q->nodes);
	q->size = size;
	atomic_init(&q->used, 1);
	if (!q->nodes)
		return false;
	atomic_init(&q->nodes[0].next, MS_NONE);
	atomic_init(&q->head, 0);
	atomic_init(&q->tail, 0);
	return true;
}

static inline void msqueue_close(struct msqueue *q)
{
	free(q->nodes);
}

static inline uint32_t ms_take_node(struct msqueue *q, struct ms_thread *t)
{
	uint32_t n = t->free;

	if (n != MS_NONE) {
		t->free = ms_index(atomic_load_explicit(&q->nodes[n].next, memory_order_relaxed));
		return n;
	}
	if (atomic_load_explicit(&q->used, memory_order_relaxed) >= q->size)
		return MS_NONE;
	n = atomic_fetch_add_explicit(&q->used, 1, memory_order_relaxed);
	return n < q->size ? n : MS_NONE;
}

static inline void ms_give_node(struct msqueue *q, struct ms_thread *t, uint32_t n)
{
#ifdef BUG
	return;
#endif
	const uint64_t old = atomic_load_explicit(&q->nodes[n].next, memory_order_relaxed);

	atomic_store_explicit(&q->nodes[n].next, ms_pointer(old, t->free), memory_order_relaxed);
	t->free = n;
}

/* False if there is no node left. */
static inline bool msqueue_enqueue(struct msqueue *q, struct ms_thread *t, int64_t value)
{
	const uint32_t n = ms_take_node(q, t);

	if (n == MS_NONE)
		return false;
	const uint64_t old = atomic_load_explicit(&q->nodes[n].next, memory_order_relaxed);
	atomic_store_explicit(&q->nodes[n].value, value, memory_order_relaxed);
	atomic_store_explicit(&q->nodes[n].next, ms_pointer(old, MS_NONE), memory_order_relaxed);
	for (;;) {
		uint64_t tail = atomic_load(&q->tail);
		uint64_t next = atomic_load(&q->nodes[ms_index(tail)].next);
		if (tail != atomic_load(&q->tail))
			continue;
		if (ms_index(next) != MS_NONE) {
			atomic_compare_exchange_strong(&q->tail, &tail,
						       ms_pointer(tail, ms_index(next)));
			continue;
		}
#ifdef BUG
		for (int i = 0; i < 100; i++)
			__asm__ volatile("" ::: "memory"); /* bad luck happens more often */
		atomic_store(&q->nodes[ms_index(tail)].next, ms_pointer(next, n));
#else
		if (!atomic_compare_exchange_strong(&q->nodes[ms_index(tail)].next, &next,
						    ms_pointer(next, n)))
			continue;
#endif
		atomic_compare_exchange_strong(&q->tail, &tail, ms_pointer(tail, n));
		return true;
	}
}

/* False if it is empty. */
static inline bool msqueue_dequeue(struct msqueue *q, struct ms_thread *t, int64_t *value)
{
	for (;;) {
		uint64_t head = atomic_load(&q->head);
		uint64_t tail = atomic_load(&q->tail);
		const uint64_t next = atomic_load(&q->nodes[ms_index(head)].next);
		if (head != atomic_load(&q->head))
			continue;
		if (ms_index(head) == ms_index(tail)) {
			if (ms_index(next) == MS_NONE)
				return false;
			atomic_compare_exchange_strong(&q->tail, &tail,
						       ms_pointer(tail, ms_index(next)));
			continue;
		}
#ifdef BUG
		if (ms_index(next) == MS_NONE)
			return false; /* the rest is lost */
#endif
		*value = atomic_load_explicit(&q->nodes[ms_index(next)].value, memory_order_relaxed);
		if (atomic_compare_exchange_strong(&q->head, &head,
						   ms_pointer(head, ms_index(next)))) {
			ms_give_node(q, t, ms_index(head));
			return true;
		}
	}
}

#endif
