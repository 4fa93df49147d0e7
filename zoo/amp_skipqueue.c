/* amp_skipqueue.c -- a priority queue as a lock-free skip list.
 *
 * I. Lotan and N. Shavit, "Skiplist-Based Concurrent Priority Queues" (IPDPS 2000), as in Herlihy,
 * Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020), section 15.5.  A
 * removal takes the first node of the lowest level that it can mark as taken, and then removes it from
 * the list.  Quiescently consistent, and neither linearizable nor sequentially consistent.
 *
 * All nodes have all LEVELS here.  A priority that is there already is not added: the book leaves
 * open what is then, and so does the specification.
 *
 * -DORIGINAL: in the first edition (2008) a removal does not get past a node that was taken before
 * it came there.
 * -DTWO_BEFORE: the queue holds the priority 2 at first, for clients that go round it.
 */
#include <limits.h>
#include <stdlib.h>

#include "parts/mref.h"

#ifndef LEVELS
#define LEVELS 2
#endif

struct node {
	long priority;
	atomic_bool taken;
	mref next[LEVELS];
};

struct place {
	struct node *pred[LEVELS], *succ[LEVELS];
};

static struct node *new_node(long priority, struct node *next)
{
	struct node *node = malloc(sizeof *node);
	node->priority = priority;
	atomic_init(&node->taken, false);
	for (int level = 0; level < LEVELS; level++)
		atomic_init(&node->next[level], mref_word(next, false));
	return node;
}

/* The neighbours of that priority; true if it is there.  Unlinks what is marked. */
static bool find(struct node *head, long priority, struct place *p)
{
	struct node *pred, *curr = NULL;

retry:
	pred = head;
	for (int level = LEVELS - 1; level >= 0; level--) {
		curr = mref_get(&pred->next[level]);
		for (;;) {
			uintptr_t next = atomic_load(&curr->next[level]);

			while (mref_mark(next)) {
				if (!mref_cas(&pred->next[level], curr, mref_to(next), false, false))
					goto retry;
				curr = mref_get(&pred->next[level]);
				next = atomic_load(&curr->next[level]);
			}
			if (curr->priority >= priority)
				break;
			pred = curr;
			curr = mref_to(next);
		}
		p->pred[level] = pred;
		p->succ[level] = curr;
	}
	return curr->priority == priority;
}

static bool link_at(const struct place *p, int level, struct node *node)
{
	return mref_cas(&p->pred[level]->next[level], p->succ[level], node, false, false);
}

static void skipqueue_insert(struct node *head, long priority)
{
	struct node *node = new_node(priority, NULL);
	struct place p;

	do {
		if (find(head, priority, &p))
			return;
		for (int level = 0; level < LEVELS; level++)
			atomic_store(&node->next[level], mref_word(p.succ[level], false));
	} while (!link_at(&p, 0, node));
	for (int level = 1; level < LEVELS; level++)
		while (!link_at(&p, level, node))
			find(head, priority, &p);
}

static void unlink_node(struct node *head, struct node *node)
{
	struct place p;

	if (!find(head, node->priority, &p))
		return;
	for (int level = LEVELS - 1; level > 0; level--)
		for (uintptr_t next; !mref_mark(next = atomic_load(&node->next[level]));)
			mref_attempt_mark(&node->next[level], mref_to(next), true);
	uintptr_t next = atomic_load(&node->next[0]);
	for (;;) {
		struct node *succ = mref_to(next);

		if (mref_cas(&node->next[0], succ, succ, false, true)) {
			find(head, node->priority, &p);
			return;
		}
		next = atomic_load(&p.succ[0]->next[0]);
		if (mref_mark(next))
			return;
	}
}

static struct node *take_first(struct node *head)
{
	struct node *curr = mref_get(&head->next[0]);

	while (curr->priority != LONG_MAX) {
		bool taken = curr->taken;
#ifdef ORIGINAL
		if (taken)
			continue;
#endif
		if (!taken && atomic_compare_exchange_strong(&curr->taken, &taken, true))
			return curr;
		curr = mref_get(&curr->next[0]);
	}
	return NULL;
}

static bool skipqueue_remove_min(struct node *head, long *priority)
{
	struct node *node = take_first(head);

	if (!node)
		return false;
	unlink_node(head, node);
	*priority = node->priority;
	return true;
}

#include <linchpin.h>

/* A state of this one word says that anything goes from now on. */
#define OPEN INT64_MIN

static bool is_open(const struct lp_state *s)
{
	return s->count && s->at[0] == OPEN;
}

static enum lp_answer inserts(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_open(s))
		return LP_ACCEPTS;
	if (lp_state_has(s, c->arg[0])) {
		s->count = 0;
		lp_state_push(s, OPEN);
	} else {
		lp_state_insert(s, lp_state_place(s, c->arg[0]), c->arg[0]);
	}
	return LP_ACCEPTS;
}

static enum lp_answer removes(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_open(s))
		return LP_ACCEPTS;
	if (!s->count)
		return lp_answers(c, LP_EMPTY);
	const int64_t least = s->at[0];
	lp_state_remove(s, 0);
	return lp_answers(c, least);
}

static const struct lp_method methods[] = {
	{ "insert", 1, LP_NOTHING, LP_INSERTS, inserts },
	{ "remove_min", 0, LP_VALUE_OR_EMPTY, LP_REMOVES | LP_OBSERVES, removes },
};
static const struct lp_kind distinct = { .name = "priority queue of distinct priorities",
					 .data = LP_DATA_ORDER,
					 .methods = methods,
					 .method_count = 2 };

static struct node *queue;

LP_SPEC_OWN(distinct)
LP_ARGS("ordered")
#ifdef TWO_BEFORE
LP_PRE("insert(2)")
#endif
LP_SETUP { queue = new_node(LONG_MIN, new_node(LONG_MAX, NULL)); }
LP_METHOD(insert, p) { skipqueue_insert(queue, p); return LP_VOID; }
LP_METHOD(remove_min) { long p; return skipqueue_remove_min(queue, &p) ? p : LP_EMPTY; }
