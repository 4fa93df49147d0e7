/* amp_lazylist.c -- a set as a sorted list with lazy removal.
 *
 * S. Heller, M. Herlihy, V. Luchangco, M. Moir, W. Scherer and N. Shavit, "A Lazy Concurrent
 * List-Based Set Algorithm" (OPODIS 2005); Herlihy, Shavit, Luchangco and Spear, "The Art of
 * Multiprocessor Programming" (2020), section 9.7.  A node is marked before it is unlinked, so
 * that a place is still good if neither neighbour is marked; contains() takes no locks.
 */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	long key;
	pthread_mutex_t lock;
	atomic_bool marked;
	_Atomic(struct node *) next;
};

struct place {
	struct node *pred, *curr; /* pred->key < key <= curr->key */
};

static struct node *new_node(long key, struct node *next)
{
	struct node *node = malloc(sizeof *node);
	node->key = key;
	pthread_mutex_init(&node->lock, NULL);
	atomic_init(&node->marked, false);
	atomic_init(&node->next, next);
	return node;
}

static struct place find(struct node *head, long key)
{
	struct place p = { head, head->next };

	while (p.curr->key < key) {
		p.pred = p.curr;
		p.curr = p.curr->next;
	}
	return p;
}

static void unlock(struct place p)
{
	pthread_mutex_unlock(&p.curr->lock);
	pthread_mutex_unlock(&p.pred->lock);
}

static struct place find_and_lock(struct node *head, long key)
{
	for (;;) {
		struct place p = find(head, key);

		pthread_mutex_lock(&p.pred->lock);
		pthread_mutex_lock(&p.curr->lock);
		if (!p.pred->marked && !p.curr->marked && p.pred->next == p.curr)
			return p;
		unlock(p);
	}
}

static bool set_add(struct node *head, long key)
{
	struct place p = find_and_lock(head, key);
	const bool is_new = p.curr->key != key;
	if (is_new)
		p.pred->next = new_node(key, p.curr);
	unlock(p);
	return is_new;
}

static bool set_remove(struct node *head, long key)
{
	struct place p = find_and_lock(head, key);
	const bool is_there = p.curr->key == key;
	if (is_there) {
		p.curr->marked = true;
		p.pred->next = p.curr->next;
	}
	unlock(p);
	return is_there;
}

static bool set_contains(struct node *head, long key)
{
	struct node *curr = find(head, key).curr;
	return curr->key == key && !curr->marked;
}

#include <linchpin.h>

static struct node *set;

LP_SPEC("set")
LP_ARGS("ordered")
LP_SETUP { set = new_node(LONG_MIN, new_node(LONG_MAX, NULL)); }
LP_METHOD(add, k) { return set_add(set, k); }
LP_METHOD(remove, k) { return set_remove(set, k); }
LP_METHOD(contains, k) { return set_contains(set, k); }
