/* amp_lockfreelist.c -- a set as a lock-free sorted list.
 *
 * T. Harris, "A Pragmatic Implementation of Non-Blocking Linked-Lists" (DISC 2001), and
 * M. Michael, "High Performance Dynamic Lock-Free Hash Tables and List-Based Sets" (SPAA 2002),
 * as in Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 9.8.  The mark of a node's `next` says that the node itself is removed, and keeps
 * others from linking anything behind it.
 *
 * -DORIGINAL: the first edition (2008) marks by attemptMark(), which also succeeds where
 * somebody else has just marked: two calls remove the same key.
 */
#include <limits.h>
#include <stdlib.h>

#include "parts/mref.h"

struct node {
	long key;
	mref next;
};

struct place {
	struct node *pred, *curr; /* pred->key < key <= curr->key */
};

static struct node *new_node(long key, struct node *next)
{
	struct node *node = malloc(sizeof *node);
	node->key = key;
	atomic_init(&node->next, mref_word(next, false));
	return node;
}

/* Unlinks the marked nodes that it meets. */
static struct place find(struct node *head, long key)
{
	struct node *pred, *curr, *succ;

retry:
	pred = head;
	curr = mref_get(&pred->next);
	for (;;) {
		uintptr_t next = atomic_load(&curr->next);

		while (mref_mark(next)) {
			succ = mref_to(next);
			if (!mref_cas(&pred->next, curr, succ, false, false))
				goto retry;
			curr = succ;
			next = atomic_load(&curr->next);
		}
		if (curr->key >= key)
			return (struct place){ pred, curr };
		pred = curr;
		curr = mref_to(next);
	}
}

static bool set_add(struct node *head, long key)
{
	struct node *node = NULL;

	for (;;) {
		struct place p = find(head, key);

		if (p.curr->key == key)
			return false;
		if (!node)
			node = new_node(key, p.curr);
		else
			atomic_store(&node->next, mref_word(p.curr, false));
		if (mref_cas(&p.pred->next, p.curr, node, false, false))
			return true;
	}
}

static bool mark(struct node *node, struct node *succ)
{
#ifdef ORIGINAL
	return mref_attempt_mark(&node->next, succ, true);
#else
	return mref_cas(&node->next, succ, succ, false, true);
#endif
}

static bool set_remove(struct node *head, long key)
{
	for (;;) {
		struct place p = find(head, key);

		if (p.curr->key != key)
			return false;
		struct node *succ = mref_get(&p.curr->next);
		if (mark(p.curr, succ)) {
			/* If that fails a later find() does it. */
			mref_cas(&p.pred->next, p.curr, succ, false, false);
			return true;
		}
	}
}

static bool set_contains(struct node *head, long key)
{
	struct node *curr = head;

	while (curr->key < key)
		curr = mref_get(&curr->next);
	return curr->key == key && !mref_mark(atomic_load(&curr->next));
}

#include <linchpin.h>

static struct node *set;

LP_SPEC("set")
LP_ARGS("ordered")
LP_SETUP { set = new_node(LONG_MIN, new_node(LONG_MAX, NULL)); }
LP_METHOD(add, k) { return set_add(set, k); }
LP_METHOD(remove, k) { return set_remove(set, k); }
LP_METHOD(contains, k) { return set_contains(set, k); }
