/* lflazylist.c -- a set as a sorted list with lazy removal, without locks.
 *
 * M. Herlihy and N. Shavit, "The Art of Multiprocessor Programming" (2008), chapter 9.8: Michael's
 * list (SPAA 2002) for garbage collection.  The lowest bit of a node's `next` says that the node
 * is removed.  A search unlinks the removed nodes that it comes across, one at a time, and starts
 * again if it cannot; contains() goes past them and writes nothing.
 *
 * All accesses have the strongest orders below seq_cst, and that is not enough: a node that is
 * inserted between two others and one that is inserted elsewhere are two writes that need not be
 * seen in one order (Golovin, Kokologiannakis and Vafeiadis, "RELINCHE", POPL 2025, example 6.2).
 * With -DSEQ_CST it is a set.
 *
 * -DMARK_TWICE is the first edition's remove(), whose attemptMark() also succeeds if the node is
 * marked already: two removals of one key.
 */
#include <limits.h>

#include "parts/markedlist.h"

struct place {
	struct node *before, *at; /* before->key < key <= at->key */
};

/* Unlinks the removed nodes after `before`, and stores the first other one in *at; false if
 * the list has changed there, or `before` is removed itself. */
static bool unlink_removed(struct node *before, struct node **at, link *next)
{
	while (is_removed(*next = next_of(*at))) {
		if (!swing(before, link_to(*at), link_to(target(*next))))
			return false;
		*at = target(*next);
	}
	return true;
}

static struct place find(struct node *head, long key)
{
	for (;;) {
		struct place p = { head, target(next_of(head)) };
		link next;

		while (unlink_removed(p.before, &p.at, &next)) {
			if (p.at->key >= key)
				return p;
			p = (struct place){ p.at, target(next) };
		}
	}
}

static bool list_insert(struct node *head, long key)
{
	struct node *node = new_node(key, 0);
	struct place p;

	do {
		p = find(head, key);
		if (p.at->key == key)
			return false;
		atomic_store_explicit(&node->next, link_to(p.at), memory_order_relaxed);
	} while (!swing(p.before, link_to(p.at), link_to(node)));
	return true;
}

/* Whether it was this call that removed it. */
static bool mark(struct node *node, link next)
{
#ifdef MARK_TWICE
	return swing(node, next, removed(next)) || next_of(node) == removed(next);
#else
	return swing(node, next, removed(next));
#endif
}

static bool list_remove(struct node *head, long key)
{
	struct place p;
	link next;

	do {
		p = find(head, key);
		if (p.at->key != key)
			return false;
		next = link_to(target(next_of(p.at)));
	} while (!mark(p.at, next));
	swing(p.before, link_to(p.at), next); /* or the next search does it */
	return true;
}

static bool list_contains(struct node *head, long key)
{
	struct node *at = head;
	link next;

	do {
		at = target(next_of(at));
		next = next_of(at);
	} while (at->key < key);
	return at->key == key && !is_removed(next);
}

#include <linchpin.h>

static struct node *set;

LP_SPEC("set")
LP_ARGS("ordered")
LP_SETUP { set = new_node(LONG_MIN, link_to(new_node(LONG_MAX, 0))); }
LP_METHOD(insert, k) { return list_insert(set, k); }
LP_METHOD(remove, k) { return list_remove(set, k); }
LP_METHOD(contains, k) { return list_contains(set, k); }
