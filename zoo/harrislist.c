/* harrislist.c -- a set as a sorted list, with the mark in the pointer.
 *
 * T. Harris, "A Pragmatic Implementation of Non-Blocking Linked-Lists" (DISC 2001).  The lowest bit
 * of a node's `next` says that the node is removed.  A search returns two adjacent nodes that were
 * not removed; if there were removed ones between them, it unlinks the whole run at once.
 *
 * All accesses have the strongest orders below seq_cst, and that is not enough: what is inserted in
 * different places of the list need not be seen in one order (Golovin, Kokologiannakis and
 * Vafeiadis, "RELINCHE", POPL 2025, figure 7).  With -DSEQ_CST it is a set.
 */
#include <limits.h>

#include "parts/markedlist.h"

struct place {
	struct node *left, *right; /* left->key < key <= right->key */
};

/* The last node with a smaller key, the first with one that is not, neither of them removed; and
 * what followed the former, which is the latter unless removed ones are in between. */
static struct place walk(struct node *head, long key, link *after_left)
{
	struct place p = { head, head };
	link next = next_of(head);

	do {
		if (!is_removed(next)) {
			p.left = p.right;
			*after_left = next;
		}
		p.right = target(next);
		if (p.right->key == LONG_MAX) /* the end, which is never removed */
			break;
		next = next_of(p.right);
	} while (is_removed(next) || p.right->key < key);
	return p;
}

static struct place search(struct node *head, long key)
{
	for (;;) {
		link after_left;
		struct place p = walk(head, key, &after_left);

		if ((after_left == link_to(p.right) ||
		     swing(p.left, after_left, link_to(p.right))) &&
		    !is_removed(next_of(p.right)))
			return p;
	}
}

static bool list_insert(struct node *head, long key)
{
	struct node *node = new_node(key, 0);
	struct place p;

	do {
		p = search(head, key);
		if (p.right->key == key)
			return false;
		atomic_store_explicit(&node->next, link_to(p.right), memory_order_relaxed);
	} while (!swing(p.left, link_to(p.right), link_to(node)));
	return true;
}

static bool list_remove(struct node *head, long key)
{
	struct place p;
	link next;

	do {
		p = search(head, key);
		if (p.right->key != key)
			return false;
		next = next_of(p.right);
	} while (is_removed(next) || !swing(p.right, next, removed(next)));
	if (!swing(p.left, link_to(p.right), next))
		search(head, key); /* which unlinks it */
	return true;
}

static bool list_contains(struct node *head, long key)
{
	return search(head, key).right->key == key;
}

#include <linchpin.h>

static struct node *set;

LP_SPEC("set")
LP_ARGS("ordered")
LP_SETUP { set = new_node(LONG_MIN, link_to(new_node(LONG_MAX, 0))); }
LP_METHOD(insert, k) { return list_insert(set, k); }
LP_METHOD(remove, k) { return list_remove(set, k); }
LP_METHOD(contains, k) { return list_contains(set, k); }
