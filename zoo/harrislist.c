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
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef SEQ_CST
#define READ memory_order_seq_cst
#define SWAP memory_order_seq_cst
#else
#define READ memory_order_acquire
#define SWAP memory_order_acq_rel
#endif

typedef uintptr_t link; /* the address of a node, and whether the link's owner is removed */

struct node {
	long key;
	_Atomic(link) next;
};

struct place {
	struct node *left, *right; /* left->key < key <= right->key */
};

static link link_to(struct node *node) { return (link)node; }
static link removed(link l) { return l | 1; }
static bool is_removed(link l) { return l & 1; }
static struct node *target(link l) { return (struct node *)(l & ~(link)1); }
static link next_of(struct node *node) { return atomic_load_explicit(&node->next, READ); }

static bool swing(struct node *node, link from, link to)
{
	return atomic_compare_exchange_strong_explicit(&node->next, &from, to, SWAP, READ);
}

static struct node *new_node(long key, link next)
{
	struct node *node = malloc(sizeof *node);
	node->key = key;
	atomic_init(&node->next, next);
	return node;
}

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
