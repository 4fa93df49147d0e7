/* omitted_race_facts.h -- inside omitted_races.c: what may race with what, over all executions. */
#ifndef LP_EXPLORE_REDUCE_FACTS_OMITTED_RACE_FACTS_H
#define LP_EXPLORE_REDUCE_FACTS_OMITTED_RACE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore/explore.h"
#include "explore/reduce/omitted_races.h"

struct lp_omitted_facts;

enum {
	LP_FACT_THREADS = 128,
	LP_FACT_HELD = LP_OMITTED_HELD,
	LP_FACT_ANY_THREAD = LP_FACT_THREADS, /* any of several like threads */
};

/* An access of an omitted iteration, or a plain write. */
struct lp_fact {
	uintptr_t loc;
	size_t size;
	uint32_t thread;
	uint32_t at;              /* i or e of omitted_races.h */
	uint32_t next;            /* of the bucket, from 1 */
	bool write, atomic, left; /* left out */
	bool lock;                /* left out: on a lock; else: sees whether one is held */
	bool helped;              /* a read before an operation that others wait for: treated as left out */
	bool theirs, by_owner;    /* in a like thread's memory, at `place`; accessed by that thread itself */
	bool found;               /* it writes to memory that its thread has found (own.h) */
	bool after;               /* left out: ordered after all that the finder of the memory did with it then */
	uintptr_t place;
	uintptr_t held[LP_FACT_HELD];    /* locks, in no order; then zeros */
	uint32_t clock[LP_FACT_THREADS]; /* zero beyond the threads that there were */
};

/* Locks for which there is no room count as not held. */
void lp_fact_take(struct lp_fact *, uintptr_t lock);
void lp_fact_let_go(struct lp_fact *, uintptr_t lock);

/* How careful the exploration already is: iterations that are kept need no facts. */
enum lp_careful lp_facts_careful(const struct lp_omitted_facts *);
void lp_facts_put(struct lp_omitted_facts *, const struct lp_fact *);

/* Sets of bytes, in pairs: a restart is needed if some byte is in both sets of a pair. */
enum lp_fact_set {
	LP_FACT_READ,      /* plainly */
	LP_FACT_WRITTEN,   /* atomically, by an omitted iteration */
	LP_FACT_OWN_STACK, /* lp_fact_stack(): an omitted iteration wrote to its thread's own one */
	LP_FACT_STACK_SHARED, /* likewise: another thread accessed it */
	LP_FACT_RELIED,    /* an omitted iteration stored there, and no other thread has read that (overwritten_iterations.h) */
	LP_FACT_SPOILT,    /* one may have */
	LP_FACT_SETS
};
void lp_facts_add(struct lp_omitted_facts *, enum lp_fact_set, uintptr_t loc, size_t size);
bool lp_facts_has(const struct lp_omitted_facts *, enum lp_fact_set, uintptr_t loc, size_t size);

/* A byte that stands for the stack of a thread. */
static inline uintptr_t lp_fact_stack(uint32_t thread)
{
	return (uintptr_t)thread << 2;
}

/* All iterations must be kept: one that was left out has accessed another thread's stack, so that the end of the variable's life may not be
 * seen to race with it. */
void lp_facts_keep_all(struct lp_omitted_facts *);
/* There are too many facts to record. */
void lp_facts_give_up(struct lp_omitted_facts *);

#endif
