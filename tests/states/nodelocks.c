/* A set as a sorted list with a lock in each node, locked hand over hand; removed nodes are freed.
 *
 *     -DSPIN         the locks are spin locks
 *     -DRECURSIVE    the locks are recursive mutexes, and taken twice
 *     -DTRY          a lock is taken by trying until that succeeds
 *     -DBUG=1        a node is freed before it is unlocked
 *     -DBUG=2        a node is unlocked before its successor is locked
 *     -DBUG=3        a lock is given back that is not held
 *     -DBUG=4        a lock is destroyed while it is held
 *     -DBUG=5        contains() takes the locks against the order of the list
 *     -DBUG=6        a lock is initialised while it is held
 *     -DBUG=7        a lock is taken after it was destroyed
 *     -DBUG=8        contains() takes no locks
 *     -DBUG=9        a node is freed while it is locked, and never unlocked
 */
#include <linchpin.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

#ifdef SPIN
typedef pthread_spinlock_t lock_type;
static void init(lock_type *l) { pthread_spin_init(l, PTHREAD_PROCESS_PRIVATE); }
static void destroy(lock_type *l) { pthread_spin_destroy(l); }
static bool try(lock_type *l) { return !pthread_spin_trylock(l); }
static void take(lock_type *l) { pthread_spin_lock(l); }
static void give(lock_type *l) { pthread_spin_unlock(l); }
#else
typedef pthread_mutex_t lock_type;
static void init(lock_type *l)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
#ifdef RECURSIVE
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
#endif
	pthread_mutex_init(l, &attr);
}
static void destroy(lock_type *l) { pthread_mutex_destroy(l); }
static bool try(lock_type *l) { return !pthread_mutex_trylock(l); }
static void take(lock_type *l) { pthread_mutex_lock(l); }
static void give(lock_type *l) { pthread_mutex_unlock(l); }
#endif

static void lock(lock_type *l)
{
#ifdef TRY
	while (!try(l))
		;
#else
	(void)try;
	take(l);
#endif
#ifdef RECURSIVE
	take(l);
	give(l);
#endif
}

struct node {
	long key;
	lock_type lock;
	struct node *next;
};

struct place {
	struct node *before, *at; /* both locked */
};

static struct node *new_node(long key, struct node *next)
{
	struct node *n = malloc(sizeof *n);
	n->key = key;
	init(&n->lock);
	n->next = next;
	return n;
}

static struct place find(struct node *head, long key)
{
	lock(&head->lock);
	struct place p = { head, head->next };
	lock(&p.at->lock);
	while (p.at->key < key) {
		struct node *next = p.at->next;
		give(&p.before->lock);
		p.before = p.at;
		if (BUG == 2)
			give(&p.at->lock);
		lock(&next->lock);
		if (BUG == 2)
			lock(&p.before->lock);
		p.at = next;
	}
	return p;
}

static void unlock(struct place p)
{
	give(&p.at->lock);
	give(&p.before->lock);
}

static void drop(struct node *n)
{
	if (BUG != 4 && BUG != 9)
		give(&n->lock);
	if (BUG == 6) {
		lock(&n->lock);
		init(&n->lock);
	}
	if (BUG != 9)
		destroy(&n->lock);
	if (BUG == 7)
		lock(&n->lock);
	free(n);
	if (BUG == 1)
		give(&n->lock);
}

static struct node *head;

LP_SPEC("set")
LP_ARGS("ordered")
LP_SETUP { head = new_node(LONG_MIN, new_node(LONG_MAX, NULL)); }

LP_METHOD(add, k)
{
	struct place p = find(head, k);
	const bool is_new = p.at->key != k;
	if (is_new)
		p.before->next = new_node(k, p.at);
	unlock(p);
	if (BUG == 3 && !is_new)
		give(&head->lock);
	return is_new;
}

LP_METHOD(remove, k)
{
	struct place p = find(head, k);
	const bool is_there = p.at->key == k;
	if (is_there) {
		p.before->next = p.at->next;
		give(&p.before->lock);
		drop(p.at);
	} else {
		unlock(p);
	}
	return is_there;
}

LP_METHOD(contains, k)
{
	if (BUG == 5) {
		struct node *last = head;
		while (last->next->next)
			last = last->next;
		lock(&last->next->lock);
		lock(&last->lock);
		give(&last->lock);
		give(&last->next->lock);
	}
	if (BUG == 8) {
		struct node *n = head->next;
		while (n->key < k)
			n = n->next;
		return n->key == k;
	}
	struct place p = find(head, k);
	const bool is_there = p.at->key == k;
	unlock(p);
	return is_there;
}
