/* amp_finegrainedheap.c -- a priority queue as a heap in an array, with a lock for each node.
 *
 * G. Hunt, M. Michael, S. Parthasarathy and M. Scott, "An Efficient Algorithm for Concurrent
 * Priority Queue Heaps" (Inf. Process. Lett. 1996), as in Herlihy, Shavit, Luchangco and Spear,
 * "The Art of Multiprocessor Programming" (2020), section 15.4.  An insertion climbs from the
 * bottom, its node being BUSY and its own until it has found its place; a removal takes the root,
 * puts the bottom there and lets it sink.
 *
 * -DORIGINAL: as printed; which is all of these.
 *   -DBOTTOM_FIRST: remove_min() locks the bottom before the root, insert() parents before
 *    children: deadlock.
 *   -DNO_EMPTY_TEST: remove_min() of an empty heap leaves `next` at 0; what is then inserted is
 *    never found, and another remove_min() leaves the array.
 *   -DLEAVE_BUSY: a removal that moves a BUSY node leaves it so, though it may no longer be where
 *    its owner looks for it.
 * -DLOCK_AGAIN: as in code that came with the first edition: remove_min() locks the bottom once more where it
 * should unlock it, if it finds the heap empty.
 * -DROUNDS: as printed, too; whose parent is BUSY goes round and round, with two locks taken
 * and given back each time.  Without it such a round is followed by looking on, without locks, until the
 * next round has an effect: what is left of it if threads and locks are fair.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "parts/relock.h"

#ifdef ORIGINAL
#define BOTTOM_FIRST
#define NO_EMPTY_TEST
#define LEAVE_BUSY
#endif

enum { ROOT = 1, CAPACITY = 8 };
enum tag { EMPTY, AVAILABLE, BUSY };

struct node {
	struct relock lock;
	_Atomic(enum tag) tag;
	_Atomic(pthread_t) owner; /* if BUSY */
	long score;
};

struct heap {
	struct relock lock;
	int next; /* the first free node; of `lock` */
	struct node node[CAPACITY + 1];
};

static void heap_init(struct heap *h)
{
	relock_init(&h->lock);
	h->next = ROOT;
	for (int i = 0; i <= CAPACITY; i++)
		relock_init(&h->node[i].lock);
}

static void lock(struct heap *h, int node)
{
	assert(0 <= node && node <= CAPACITY); /* as Java sees to */
	relock_lock(&h->node[node].lock);
}

static void unlock(struct heap *h, int node)
{
	relock_unlock(&h->node[node].lock);
}

static bool is_mine(struct node *n)
{
	return n->tag == BUSY && n->owner == pthread_self();
}

static void settle(struct node *n)
{
	n->tag = AVAILABLE;
	n->owner = 0;
}

static void swap(struct node *a, struct node *b)
{
	const enum tag tag = a->tag;
	const pthread_t owner = a->owner;
	const long score = a->score;

	a->tag = b->tag;
	a->owner = b->owner;
	a->score = b->score;
	b->tag = tag;
	b->owner = owner;
	b->score = score;
}

/* One round of climbing: where the node of this call may be now, or 0 if it is settled. */
static int climb(struct heap *h, int child)
{
	const int parent = child / 2;
	struct node *c = &h->node[child], *p = &h->node[parent];
	int now = child;

	lock(h, parent);
	lock(h, child);
	if (p->tag == AVAILABLE && is_mine(c)) {
		if (c->score < p->score) {
			swap(c, p);
			now = parent;
		} else {
			settle(c);
			now = 0;
		}
	} else if (!is_mine(c)) {
		now = parent;
	}
	unlock(h, child);
	unlock(h, parent);
#ifndef ROUNDS
	if (now == child)
		while (p->tag != AVAILABLE && is_mine(c))
			;
#endif
	return now;
}

static void heap_insert(struct heap *h, long score)
{
	relock_lock(&h->lock);
	int at = h->next++;
	lock(h, at);
	relock_unlock(&h->lock);
	h->node[at].score = score;
	h->node[at].owner = pthread_self();
	h->node[at].tag = BUSY;
	unlock(h, at);
	while (at > ROOT)
		at = climb(h, at);
	if (at == ROOT) {
		lock(h, ROOT);
		if (is_mine(&h->node[ROOT]))
			settle(&h->node[ROOT]);
		unlock(h, ROOT);
	}
}

/* Lets the root, which is locked, sink to its place. */
static void sink(struct heap *h)
{
	int parent = ROOT;

	while (parent < CAPACITY / 2) {
		const int left = 2 * parent, right = 2 * parent + 1;
		int child;

		lock(h, left);
		lock(h, right);
		if (h->node[left].tag == EMPTY) {
			unlock(h, right);
			unlock(h, left);
			break;
		}
		if (h->node[right].tag == EMPTY || h->node[left].score < h->node[right].score) {
			unlock(h, right);
			child = left;
		} else {
			unlock(h, left);
			child = right;
		}
		if (h->node[child].score >= h->node[parent].score) {
			unlock(h, child);
			break;
		}
		swap(&h->node[parent], &h->node[child]);
		unlock(h, parent);
		parent = child;
	}
	unlock(h, parent);
}

static bool heap_remove_min(struct heap *h, long *score)
{
	relock_lock(&h->lock);
#ifndef NO_EMPTY_TEST
	if (h->next == ROOT) {
		relock_unlock(&h->lock);
		return false;
	}
#endif
	const int bottom = --h->next;
#ifdef BOTTOM_FIRST
	lock(h, bottom);
	lock(h, ROOT);
#else
	lock(h, ROOT);
	lock(h, bottom);
#endif
	relock_unlock(&h->lock);
	if (h->node[ROOT].tag == EMPTY) {
		unlock(h, ROOT);
#ifdef LOCK_AGAIN
		lock(h, bottom);
#else
		unlock(h, bottom);
#endif
		return false;
	}
	*score = h->node[ROOT].score;
	h->node[ROOT].tag = EMPTY;
	swap(&h->node[bottom], &h->node[ROOT]);
	h->node[bottom].owner = 0;
	unlock(h, bottom);
	if (h->node[ROOT].tag == EMPTY) {
		unlock(h, ROOT);
		return true;
	}
#ifndef LEAVE_BUSY
	settle(&h->node[ROOT]);
#endif
	sink(h);
	return true;
}

#include <linchpin.h>

static struct heap heap;

LP_SPEC("priority_queue")
LP_ARGS("ordered")
LP_SETUP { heap_init(&heap); }
LP_METHOD(insert, s) { heap_insert(&heap, s); return LP_VOID; }
LP_METHOD(remove_min) { long s; return heap_remove_min(&heap, &s) ? s : LP_EMPTY; }
