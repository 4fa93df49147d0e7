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
	LP_FACT_NOBODY = LP_FACT_THREADS, /* any of several like threads */
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
/* Bytes that were read plainly; bytes that an omitted iteration wrote atomically. */
void lp_facts_read(struct lp_omitted_facts *, uintptr_t loc, size_t size);
void lp_facts_written(struct lp_omitted_facts *, uintptr_t loc, size_t size);
/* An omitted iteration wrote to its thread's own stack; a thread accessed the stack of another one, `thread`; an
 * omitted iteration did so, so that the end of the variable's life may not be seen to race with it. */
void lp_facts_own_stack(struct lp_omitted_facts *, uint32_t thread);
void lp_facts_stranger(struct lp_omitted_facts *, uint32_t thread);
void lp_facts_stranger_left_out(struct lp_omitted_facts *);
/* As lp_omitted_relies() and lp_omitted_spoil(), of these bytes. */
bool lp_facts_rely(struct lp_omitted_facts *, uintptr_t loc, size_t size);
void lp_facts_spoil(struct lp_omitted_facts *, uintptr_t loc, size_t size);
/* There are too many facts to record. */
void lp_facts_give_up(struct lp_omitted_facts *);

#endif
