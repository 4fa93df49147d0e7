/* amp_finelist.c -- a set as a sorted list, locked hand over hand.
 *
 * R. Bayer and M. Schkolnick, "Concurrency of Operations on B-Trees" (Acta Informatica 1977);
 * Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 9.5.  A thread holds the locks of two neighbours, and takes locks in the order of
 * the list.  Who waits for a node holds its predecessor, so a removed node has no waiters and
 * may be freed.
 */
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	long key;
	pthread_mutex_t lock;
	struct node *next;
};

struct place {
	struct node *pred, *curr; /* pred->key < key <= curr->key, both locked */
};

static struct node *new_node(long key, struct node *next)
{
	struct node *node = malloc(sizeof *node);
	node->key = key;
	pthread_mutex_init(&node->lock, NULL);
	node->next = next;
	return node;
}

static struct place find(struct node *head, long key)
{
	pthread_mutex_lock(&head->lock);
	struct place p = { head, head->next };
	pthread_mutex_lock(&p.curr->lock);
	while (p.curr->key < key) {
		pthread_mutex_unlock(&p.pred->lock);
		p.pred = p.curr;
		p.curr = p.curr->next;
		pthread_mutex_lock(&p.curr->lock);
	}
	return p;
}

static void unlock(struct place p)
{
	pthread_mutex_unlock(&p.curr->lock);
	pthread_mutex_unlock(&p.pred->lock);
}

static bool set_add(struct node *head, long key)
{
	struct place p = find(head, key);
	const bool is_new = p.curr->key != key;
	if (is_new)
		p.pred->next = new_node(key, p.curr);
	unlock(p);
	return is_new;
}

static bool set_remove(struct node *head, long key)
{
	struct place p = find(head, key);
	const bool is_there = p.curr->key == key;
	if (is_there)
		p.pred->next = p.curr->next;
	unlock(p);
	if (is_there)
		free(p.curr);
	return is_there;
}

static bool set_contains(struct node *head, long key)
{
	struct place p = find(head, key);
	const bool is_there = p.curr->key == key;
	unlock(p);
	return is_there;
}

#include <linchpin.h>

static struct node *set;

LP_SPEC("set")
LP_ARGS("ordered")
LP_SETUP { set = new_node(LONG_MIN, new_node(LONG_MAX, NULL)); }
LP_METHOD(add, k) { return set_add(set, k); }
LP_METHOD(remove, k) { return set_remove(set, k); }
LP_METHOD(contains, k) { return set_contains(set, k); }
