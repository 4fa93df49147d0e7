/* amp_lockfreehashset.c -- a lock-free hash set: one list, ordered by reversed bits.
 *
 * O. Shalev and N. Shavit, "Split-Ordered Lists: Lock-Free Extensible Hash Tables" (J. ACM 2006),
 * as in Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 13.3.  A bucket is a sentinel in the list; a table twice as long only needs more
 * sentinels.  Keys have three bits here: two of the hash code, the highest for what is no
 * sentinel.
 *
 * The list (BucketList of the book) is not the one of section 9.8: the mark in a node's `next`
 * says that the *following* node is removed.
 *
 * -DORIGINAL: as printed, remove() marks by attemptMark(), which also succeeds where somebody
 * else has just marked: two calls remove the same key.
 *
 * Nor is it right with that repaired.  The `next` of a removed node stays unmarked, so that an
 * add() which found its place behind that node before it was unlinked links its own there, to no
 * effect, and returns true.
 *
 * -DREPAIRED: ours; the list of section 9.8, where the mark is in the removed node's own `next`.
 * -DZERO_BEFORE: the set holds 0 at first, for clients that remove it.
 */
#include <limits.h>
#include <stdlib.h>

#include "parts/hash.h"
#include "parts/mref.h"

enum { BITS = 3, SLOTS = 4, LOAD = 2 };

struct node {
	long key;
	mref next;
};

struct place {
	struct node *pred, *curr; /* pred->key < key <= curr->key */
};

struct set {
	_Atomic(struct node *) bucket[SLOTS];
	atomic_uint buckets, size;
};

static long reversed(unsigned code)
{
	long key = 0;

	for (int bit = 0; bit < BITS; bit++)
		key = key << 1 | (code >> bit & 1);
	return key;
}

static long ordinary_key(long value)
{
	return reversed(hash(value) | 1u << (BITS - 1));
}

static struct node *new_node(long key, struct node *next)
{
	struct node *node = malloc(sizeof *node);
	node->key = key;
	atomic_init(&node->next, mref_word(next, false));
	return node;
}

#ifdef REPAIRED
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

static bool mark(struct place p)
{
	struct node *succ = mref_get(&p.curr->next);
	return mref_cas(&p.curr->next, succ, succ, false, true);
}
#else
/* What follows `node`, after the removed ones there have been unlinked. */
static struct node *following(struct node *node)
{
	uintptr_t next = atomic_load(&node->next);

	while (mref_mark(next)) {
		struct node *removed = mref_to(next);
		const uintptr_t behind = atomic_load(&removed->next);

		mref_cas(&node->next, removed, mref_to(behind), true, mref_mark(behind));
		next = atomic_load(&node->next);
	}
	return mref_to(next);
}

static struct place find(struct node *head, long key)
{
	struct place p = { head, following(head) };

	while (p.curr->key < key) {
		p.pred = p.curr;
		p.curr = following(p.curr);
	}
	return p;
}

static bool mark(struct place p)
{
#ifdef ORIGINAL
	return mref_attempt_mark(&p.pred->next, p.curr, true);
#else
	return mref_cas(&p.pred->next, p.curr, p.curr, false, true);
#endif
}
#endif

static bool list_add(struct node *head, long key)
{
	for (;;) {
		struct place p = find(head, key);

		if (p.curr->key == key)
			return false;
		if (mref_cas(&p.pred->next, p.curr, new_node(key, p.curr), false, false))
			return true;
	}
}

static bool list_remove(struct node *head, long key)
{
	for (;;) {
		struct place p = find(head, key);

		if (p.curr->key != key)
			return false;
		if (mark(p))
			return true;
	}
}

static bool list_contains(struct node *head, long key)
{
	return find(head, key).curr->key == key;
}

static struct node *sentinel(struct node *head, unsigned bucket)
{
	const long key = reversed(bucket);

	for (;;) {
		struct place p = find(head, key);

		if (p.curr->key == key)
			return p.curr;
		struct node *node = new_node(key, p.curr);
		if (mref_cas(&p.pred->next, p.curr, node, false, false))
			return node;
	}
}

/* The bucket that `bucket` was split off: it without its highest bit. */
static unsigned parent_of(struct set *s, unsigned bucket)
{
	unsigned parent = s->buckets;

	do
		parent >>= 1;
	while (parent > bucket);
	return bucket - parent;
}

static struct node *list_of(struct set *s, unsigned bucket)
{
	struct node *head = s->bucket[bucket];

	if (head)
		return head;
	head = sentinel(list_of(s, parent_of(s, bucket)), bucket);
	s->bucket[bucket] = head;
	return head;
}

static struct node *list_for(struct set *s, long value)
{
	return list_of(s, hash(value) % s->buckets);
}

static bool set_add(struct set *s, long value)
{
	if (!list_add(list_for(s, value), ordinary_key(value)))
		return false;
	const unsigned size = atomic_fetch_add(&s->size, 1);
	unsigned buckets = s->buckets;
	if (size / buckets > LOAD && 2 * buckets <= SLOTS)
		atomic_compare_exchange_strong(&s->buckets, &buckets, 2 * buckets);
	return true;
}

static bool set_remove(struct set *s, long value)
{
	return list_remove(list_for(s, value), ordinary_key(value));
}

static bool set_contains(struct set *s, long value)
{
	return list_contains(list_for(s, value), ordinary_key(value));
}

static struct set set;

LP_SPEC("set")
LP_ARGS(HASH_ARGS)
#ifdef ZERO_BEFORE
LP_PRE("add(0)")
#endif
LP_SETUP
{
	hash_choose(1);
	set.bucket[0] = new_node(0, new_node(LONG_MAX, NULL));
	set.buckets = 2;
}
LP_METHOD(add, k) { return set_add(&set, k); }
LP_METHOD(remove, k) { return set_remove(&set, k); }
LP_METHOD(contains, k) { return set_contains(&set, k); }
