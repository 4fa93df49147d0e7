/* lazylist.c -- a set as a sorted list with lazy removal.
 *
 * S. Heller, M. Herlihy, V. Luchangco, M. Moir, W. Scherer and N. Shavit, "A Lazy Concurrent
 * List-Based Set Algorithm" (OPODIS 2005).  The list is searched without locks; insert and
 * remove then lock the two nodes at the place and look whether it is still the place: neither
 * of them removed, and the one still next to the other.  A removal marks the node before it
 * unlinks it; contains() takes no locks at all.
 *
 * Searches and changes are seq_cst.  Release and acquire (-DORDER_WEAK) are not enough: what
 * two threads do in different places of the list need not be seen in one order.
 */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef ORDER_WEAK
#define READ memory_order_acquire
#define WRITE memory_order_release
#else
#define READ memory_order_seq_cst
#define WRITE memory_order_seq_cst
#endif

struct node {
	long key;
	pthread_mutex_t lock;
	atomic_bool removed;
	_Atomic(struct node *) next;
};

struct place {
	struct node *before, *at; /* before->key < key <= at->key */
};

static struct node *new_node(long key, struct node *next)
{
	struct node *node = calloc(1, sizeof *node); /* not removed */
	node->key = key;
	pthread_mutex_init(&node->lock, NULL);
	atomic_init(&node->next, next);
	return node;
}

static struct place find(struct node *head, long key)
{
	struct place p = { head, atomic_load_explicit(&head->next, READ) };
	while (p.at->key < key) {
		p.before = p.at;
		p.at = atomic_load_explicit(&p.at->next, READ);
	}
	return p;
}

static bool is_valid(struct place p)
{
	return atomic_load_explicit(&p.before->next, READ) == p.at
#ifndef IGNORE_MARKS
	       && !atomic_load_explicit(&p.before->removed, READ) &&
	       !atomic_load_explicit(&p.at->removed, READ)
#endif
		;
}

static void unlock(struct place p)
{
	pthread_mutex_unlock(&p.at->lock);
	pthread_mutex_unlock(&p.before->lock);
}

static struct place find_and_lock(struct node *head, long key)
{
	for (;;) {
		struct place p = find(head, key);
		pthread_mutex_lock(&p.before->lock);
		pthread_mutex_lock(&p.at->lock);
		if (is_valid(p))
			return p;
		unlock(p);
	}
}

static bool lazylist_insert(struct node *head, long key)
{
	struct place p = find_and_lock(head, key);
	bool is_new = p.at->key != key;
	if (is_new)
		atomic_store_explicit(&p.before->next, new_node(key, p.at), WRITE);
	unlock(p);
	return is_new;
}

static bool lazylist_remove(struct node *head, long key)
{
	struct place p = find_and_lock(head, key);
	bool is_there = p.at->key == key;
	if (is_there) {
		atomic_store_explicit(&p.at->removed, true, WRITE);
		atomic_store_explicit(&p.before->next,
				      atomic_load_explicit(&p.at->next, READ), WRITE);
	}
	unlock(p);
	return is_there;
}

static bool lazylist_contains(struct node *head, long key)
{
	struct place p = find(head, key);
	return p.at->key == key && !atomic_load_explicit(&p.at->removed, READ);
}

#include <linchpin.h>

static struct node *set;

LP_SPEC("set")
LP_ARGS("ordered")
LP_SETUP { set = new_node(LONG_MIN, new_node(LONG_MAX, NULL)); }
LP_METHOD(insert, k) { return lazylist_insert(set, k); }
LP_METHOD(remove, k) { return lazylist_remove(set, k); }
LP_METHOD(contains, k) { return lazylist_contains(set, k); }
