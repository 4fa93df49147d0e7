/* michaellist.c -- a set as a sorted list that gives way to hazard pointers.
 *
 * M. Michael, "High Performance Dynamic Lock-Free Hash Tables and List-Based Sets" (SPAA 2002), as
 * in libcds.  The lowest bit of a node's `next` says that the node is removed.  A search looks
 * again, before it trusts a node, whether the place that led there still does; it unlinks removed
 * nodes one at a time.  Nodes are not freed here, so that the hazard pointers themselves are left
 * out.
 *
 * The accesses have the strongest orders below seq_cst.  With -DLIBCDS they are those of libcds,
 * where unlinking a node is an acquire operation: it writes a pointer to the next node, but who
 * follows it need not see that one initialised.  Both are not enough for a set: what is inserted
 * in different places of the list need not be seen in one order (Golovin, Kokologiannakis and
 * Vafeiadis, "RELINCHE", POPL 2025, section 6.3).  With -DSEQ_CST it is one.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#if defined SEQ_CST
#define READ memory_order_seq_cst
#define LINK memory_order_seq_cst
#define MARK memory_order_seq_cst
#define UNLINK memory_order_seq_cst
#elif defined LIBCDS
#define READ memory_order_acquire
#define LINK memory_order_release
#define MARK memory_order_release
#define UNLINK memory_order_acquire
#else
#define READ memory_order_acquire
#define LINK memory_order_acq_rel
#define MARK memory_order_acq_rel
#define UNLINK memory_order_acq_rel
#endif

typedef uintptr_t link; /* the address of a node, and whether the link's owner is removed */

struct node {
	_Atomic(link) next;
	long key;
};

struct place {
	_Atomic(link) *before; /* what leads to `at`: the head, or a node with a smaller key */
	struct node *at;       /* the first node with a key that is not smaller, or null */
	link next;             /* what follows `at` */
};

static link link_to(struct node *node) { return (link)node; }
static link removed(link l) { return l | 1; }
static bool is_removed(link l) { return l & 1; }
static struct node *target(link l) { return (struct node *)(l & ~(link)1); }

static bool swing(_Atomic(link) *place, link from, link to, memory_order order)
{
	return atomic_compare_exchange_strong_explicit(place, &from, to, order,
						       memory_order_relaxed);
}

/* Goes on from the head until it has found the place; false if the list changes under way. */
static bool try_find(_Atomic(link) *head, long key, struct place *p)
{
	p->before = head;
	p->at = target(atomic_load_explicit(head, READ));
	while (p->at) {
		p->next = atomic_load_explicit(&p->at->next, READ);
		if (atomic_load_explicit(p->before, READ) != link_to(p->at))
			return false;
		if (is_removed(p->next)) {
			if (!swing(p->before, link_to(p->at), link_to(target(p->next)), UNLINK))
				return false;
		} else {
			if (p->at->key >= key)
				return true;
			p->before = &p->at->next;
		}
		p->at = target(p->next);
	}
	return true;
}

static struct place find(_Atomic(link) *head, long key)
{
	struct place p;

	while (!try_find(head, key, &p))
		;
	return p;
}

static bool is_at(struct place p, long key) { return p.at && p.at->key == key; }

static bool list_insert(_Atomic(link) *head, long key)
{
	struct node *node = malloc(sizeof *node);
	struct place p;

	node->key = key;
	do {
		p = find(head, key);
		if (is_at(p, key))
			return false;
		atomic_store_explicit(&node->next, link_to(p.at), memory_order_release);
	} while (!swing(p.before, link_to(p.at), link_to(node), LINK));
	return true;
}

static bool list_remove(_Atomic(link) *head, long key)
{
	struct place p;

	do {
		p = find(head, key);
		if (!is_at(p, key))
			return false;
	} while (!swing(&p.at->next, p.next, removed(p.next), MARK));
	swing(p.before, link_to(p.at), p.next, UNLINK); /* or the next search does it */
	return true;
}

static bool list_contains(_Atomic(link) *head, long key)
{
	return is_at(find(head, key), key);
}

#include <linchpin.h>

static _Atomic(link) set;

LP_SPEC("set")
LP_ARGS("ordered")
LP_METHOD(insert, k) { return list_insert(&set, k); }
LP_METHOD(remove, k) { return list_remove(&set, k); }
LP_METHOD(contains, k) { return list_contains(&set, k); }
