/* markedlist.h -- nodes of sorted lists whose links say whether their owner is removed.
 *
 * Accesses have the strongest orders below seq_cst; -DSEQ_CST: seq_cst.
 */
#ifndef ZOO_PARTS_MARKEDLIST_H
#define ZOO_PARTS_MARKEDLIST_H

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

static inline link link_to(struct node *node) { return (link)node; }
static inline link removed(link l) { return l | 1; }
static inline bool is_removed(link l) { return l & 1; }
static inline struct node *target(link l) { return (struct node *)(l & ~(link)1); }
static inline link next_of(struct node *node) { return atomic_load_explicit(&node->next, READ); }

static inline bool swing(struct node *node, link from, link to)
{
	return atomic_compare_exchange_strong_explicit(&node->next, &from, to, SWAP, READ);
}

static inline struct node *new_node(long key, link next)
{
	struct node *node = malloc(sizeof *node);
	node->key = key;
	atomic_init(&node->next, next);
	return node;
}

#endif
