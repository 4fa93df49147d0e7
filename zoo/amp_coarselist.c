/* amp_coarselist.c -- a set as a sorted list under one lock.
 *
 * M. Herlihy, N. Shavit, V. Luchangco and M. Spear, "The Art of Multiprocessor Programming"
 * (2nd edition, 2020), section 9.4.  The yardstick of the five lists.
 */
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	long key;
	struct node *next;
};

struct set {
	pthread_mutex_t lock;
	struct node *head;
};

static struct node *new_node(long key, struct node *next)
{
	struct node *node = malloc(sizeof *node);
	node->key = key;
	node->next = next;
	return node;
}

/* The last node below `key`. */
static struct node *before(struct set *s, long key)
{
	struct node *pred = s->head;

	while (pred->next->key < key)
		pred = pred->next;
	return pred;
}

static bool set_add(struct set *s, long key)
{
	pthread_mutex_lock(&s->lock);
	struct node *pred = before(s, key);
	const bool is_new = pred->next->key != key;
	if (is_new)
		pred->next = new_node(key, pred->next);
	pthread_mutex_unlock(&s->lock);
	return is_new;
}

static bool set_remove(struct set *s, long key)
{
	pthread_mutex_lock(&s->lock);
	struct node *pred = before(s, key), *curr = pred->next;
	const bool is_there = curr->key == key;
	if (is_there) {
		pred->next = curr->next;
		free(curr);
	}
	pthread_mutex_unlock(&s->lock);
	return is_there;
}

static bool set_contains(struct set *s, long key)
{
	pthread_mutex_lock(&s->lock);
	const bool is_there = before(s, key)->next->key == key;
	pthread_mutex_unlock(&s->lock);
	return is_there;
}

#include <linchpin.h>

static struct set set = { PTHREAD_MUTEX_INITIALIZER, NULL };

LP_SPEC("set")
LP_ARGS("ordered")
LP_SETUP { set.head = new_node(LONG_MIN, new_node(LONG_MAX, NULL)); }
LP_METHOD(add, k) { return set_add(&set, k); }
LP_METHOD(remove, k) { return set_remove(&set, k); }
LP_METHOD(contains, k) { return set_contains(&set, k); }
