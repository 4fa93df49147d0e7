/* b6_lockcoupling.c -- a set as a sorted list with lock coupling, with bug B6 of POPL 2015.
 *
 * R. Bayer and M. Schkolnick, "Concurrency of Operations on B-Trees" (Acta Informatica 1977) have
 * the idea, M. Herlihy and N. Shavit, "The Art of Multiprocessor Programming" (2008) the list: the
 * lock of a node is taken while that of the one before is still held, so that no
 * call overtakes another.
 *
 * "Misplaced lock" (Bouajjani, Emmi, Enea and Hamza, POPL 2015, table 1) does not say where:
 *     -DB6=1  the two locks are taken after the search: an element can be removed twice, which is
 *             what the paper's program of one insertion and two removals shows;
 *     -DB6=2  the lock of the node before is given back first, then that of the next one taken;
 *     -DB6=3  the second lock is not taken at all.
 *
 * Removed nodes are not freed, and `next` is atomic, so that what goes wrong is the set itself.
 */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef B6
#define B6 0
#endif
_Static_assert(B6 >= 0 && B6 <= 3, "there is no such B6");

struct node {
	long key;
	_Atomic(struct node *) next;
	pthread_mutex_t mutex;
};

struct place {
	struct node *before, *at;
};

static struct node *new_node(long key, struct node *next)
{
	struct node *node = malloc(sizeof *node);
	node->key = key;
	atomic_init(&node->next, next);
	pthread_mutex_init(&node->mutex, NULL);
	return node;
}

static void take(struct node *node)
{
	pthread_mutex_lock(&node->mutex);
}

static void give(struct node *node)
{
	pthread_mutex_unlock(&node->mutex);
}

static struct node *next_of(struct node *node)
{
	return atomic_load(&node->next);
}

#if B6 == 0
static struct place find(struct node *head, long key)
{
	struct place p = { .before = head };

	take(p.before);
	p.at = next_of(p.before);
	take(p.at);
	while (p.at->key < key) {
		give(p.before);
		p.before = p.at;
		p.at = next_of(p.at);
		take(p.at);
	}
	return p;
}
#elif B6 == 1
static struct place find(struct node *head, long key)
{
	struct place p = { head, next_of(head) };

	while (p.at->key < key) {
		p.before = p.at;
		p.at = next_of(p.at);
	}
	take(p.before);
	take(p.at);
	return p;
}
#elif B6 == 2
static struct place find(struct node *head, long key)
{
	struct place p = { .before = head };

	take(p.before);
	p.at = next_of(p.before);
	while (p.at->key < key) {
		give(p.before);
		p.before = p.at;
		take(p.before);
		p.at = next_of(p.before);
	}
	take(p.at);
	return p;
}
#else
static struct place find(struct node *head, long key)
{
	struct place p = { .before = head };

	take(p.before);
	p.at = next_of(p.before);
	while (p.at->key < key) {
		struct node *old = p.before;
		p.before = p.at;
		take(p.before);
		give(old);
		p.at = next_of(p.before);
	}
	return p;
}
#endif

static void leave(struct place p)
{
#if B6 != 3
	give(p.at);
#endif
	give(p.before);
}

static bool insert(struct node *head, long key)
{
	struct place p = find(head, key);
	const bool absent = p.at->key != key;

	if (absent)
		atomic_store(&p.before->next, new_node(key, p.at));
	leave(p);
	return absent;
}

static bool remove_key(struct node *head, long key)
{
	struct place p = find(head, key);
	const bool present = p.at->key == key;

	if (present)
		atomic_store(&p.before->next, next_of(p.at));
	leave(p);
	return present;
}

static bool contains(struct node *head, long key)
{
	struct place p = find(head, key);
	const bool present = p.at->key == key;

	leave(p);
	return present;
}

#include <linchpin.h>

static struct node *head;

LP_SPEC("set")
LP_SETUP { head = new_node(LONG_MIN, new_node(LONG_MAX, NULL)); }
LP_METHOD(insert, k) { return insert(head, k); }
LP_METHOD(remove, k) { return remove_key(head, k); }
LP_METHOD(contains, k) { return contains(head, k); }
