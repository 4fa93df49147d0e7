/* omitted_race_facts.h -- internal to omitted_races.h: the accesses, of all executions, between which
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

/* A fact: an access of an omitted iteration, a plain write, a free, an operation that writes atomically, or an operation that sees whether
 * a lock is held. */
struct lp_fact {
	uintptr_t loc;
	size_t size;
	uint32_t thread;
	uint32_t at;              /* the number i or e of omitted_races.h */
	uint32_t next;            /* the number, from 1, of the next fact in the same bucket of the table; 0: there is none */
	bool write, atomic, left; /* `left`: the access is in an iteration that was left out */
	bool lock;                /* with `left`: an operation on a lock; without `left`: an operation that sees
	                           * whether a lock is held */
	bool helped;              /* a read just before an operation for which other threads wait (helping.h): it is treated like
	                           * an access with `left` */
	bool theirs, by_owner;    /* `theirs`: the access is to the memory of a like thread, at `place` in it; `by_owner`: this
	                           * like thread makes the access */
	bool found;               /* a write to memory that its thread has found (own.h) */
	bool after;               /* with `left`: a thread has found the memory, and the access happens after all
	                           * writes of that thread that belong to the find */
	uintptr_t place;
	uintptr_t held[LP_FACT_HELD];    /* the locks that the thread holds, in any order; the rest of the array is
	                                  * zero */
	uint32_t clock[LP_FACT_THREADS]; /* what happens before the access; zero for threads that did not exist */
};

/* Add a lock to the locks that are held, and remove it.  A lock for which there is no room counts as not held. */
void lp_fact_take(struct lp_fact *, uintptr_t lock);
void lp_fact_let_go(struct lp_fact *, uintptr_t lock);

/* How careful the exploration is in this pass.  No facts are needed about iterations that are kept anyway. */
enum lp_careful lp_facts_careful(const struct lp_omitted_facts *);
/* Adds a fact. */
void lp_facts_put(struct lp_omitted_facts *, const struct lp_fact *);

/* Sets of bytes, in pairs: a restart is needed if some byte is in both sets of a pair. */
enum lp_fact_set {
	LP_FACT_READ,      /* read plainly */
	LP_FACT_WRITTEN,   /* written atomically by an omitted iteration */
	LP_FACT_OWN_STACK, /* lp_fact_stack() of a thread: an omitted iteration wrote to its thread's own stack */
	LP_FACT_STACK_SHARED, /* lp_fact_stack() of a thread: another thread accessed its stack */
	LP_FACT_RELIED,    /* stored to by an omitted iteration, which relies on the fact that no other thread reads the store
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

/* To be called when an iteration that was left out has accessed another thread's stack: a race between this
 * access and the end of the variable's life may be lost.  The exploration restarts and keeps all iterations. */
void lp_facts_keep_all(struct lp_omitted_facts *);
/* Records that there are too many facts. */
void lp_facts_give_up(struct lp_omitted_facts *);

#endif
