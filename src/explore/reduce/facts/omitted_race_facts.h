/* omitted_race_facts.h -- inside omitted_races.c: the accesses, of all executions, between which
 * races may have been lost. */
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

/* An access of an omitted iteration, a plain write or a free, or an operation of any thread: one that writes atomically, or one that
 * sees whether a lock is held. */
struct lp_fact {
	uintptr_t loc;
	size_t size;
	uint32_t thread;
	uint32_t at;              /* the number i or e of omitted_races.h */
	uint32_t next;            /* the number, from 1, of the next fact in the bucket; 0: none */
	bool write, atomic, left; /* left: in an iteration that was left out */
	bool lock;                /* with `left`: an operation on a lock; otherwise: one that sees
	                           * whether a lock is held */
	bool helped;              /* a read before an operation for which other threads wait: treated as
	                           * left out */
	bool theirs, by_owner;    /* theirs: at `place` in the memory of a like thread; by_owner: that thread
	                           * itself accesses it */
	bool found;               /* a write to memory that its thread has found (own.h) */
	bool after;               /* with `left`: a thread has found the memory, and the access comes after all
	                           * writes of that thread that belong to the find */
	uintptr_t place;
	uintptr_t held[LP_FACT_HELD];    /* the locks that the thread holds, in any order; then
	                                  * zeros */
	uint32_t clock[LP_FACT_THREADS]; /* zero for threads that did not exist */
};

/* Adds and removes a lock that is held. Locks for which there is no room count as not held. */
void lp_fact_take(struct lp_fact *, uintptr_t lock);
void lp_fact_let_go(struct lp_fact *, uintptr_t lock);

/* How careful the exploration already is: iterations that are kept need no facts. */
enum lp_careful lp_facts_careful(const struct lp_omitted_facts *);
void lp_facts_put(struct lp_omitted_facts *, const struct lp_fact *);

/* Sets of bytes, in pairs: a restart is needed if some byte is in both sets of a pair. */
enum lp_fact_set {
	LP_FACT_READ,      /* read plainly */
	LP_FACT_WRITTEN,   /* written atomically by an omitted iteration */
	LP_FACT_OWN_STACK, /* lp_fact_stack(): an omitted iteration wrote to its thread's own stack */
	LP_FACT_STACK_SHARED, /* lp_fact_stack(): another thread accessed the stack */
	LP_FACT_RELIED,    /* stored to by an omitted iteration, relying on no other thread reading the store
	                    * (overwritten_iterations.h) */
	LP_FACT_SPOILT,    /* another thread may have read such a store */
	LP_FACT_SETS
};
void lp_facts_add(struct lp_omitted_facts *, enum lp_fact_set, uintptr_t loc, size_t size);
bool lp_facts_has(const struct lp_omitted_facts *, enum lp_fact_set, uintptr_t loc, size_t size);

/* The byte that stands for the stack of a thread in these sets. */
static inline uintptr_t lp_fact_stack(uint32_t thread)
{
	return (uintptr_t)thread << 2;
}

/* Makes the exploration keep all iterations. An iteration that was left out has accessed another thread's stack, so a race between this
 * access and the end of the variable's life may be lost. */
void lp_facts_keep_all(struct lp_omitted_facts *);
/* Records that there are too many facts. */
void lp_facts_give_up(struct lp_omitted_facts *);

#endif
