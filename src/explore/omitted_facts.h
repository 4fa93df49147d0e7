/* omitted_facts.h -- inside omitted.c: what may race with what, over all executions. */
#ifndef LP_EXPLORE_OMITTED_FACTS_H
#define LP_EXPLORE_OMITTED_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore/explore.h"

struct lp_omitted_facts;

enum {
	LP_FACT_THREADS = 128,
	LP_FACT_HELD = 4,                /* locks that are looked at */
	LP_FACT_NOBODY = LP_FACT_THREADS, /* whoever it is */
};

/* An access that was left out, or a plain write.  The more moments, and the less it knows of
 * others, the more it may race with. */
struct lp_fact {
	uintptr_t loc;
	size_t size;
	uint32_t thread;
	uint32_t at;              /* i, or e */
	uint32_t next;            /* of the bucket, from 1 */
	bool write, atomic, left; /* left out */
	bool lock;                /* left out: on a lock; else: sees whether one is held */
	bool helped;              /* left out: no, but as if nothing came after it */
	bool theirs, by_owner;    /* it is in a like thread's memory, at `place`; and that thread's access */
	uintptr_t place;
	uintptr_t held[LP_FACT_HELD];    /* locks, in no order; then zeros */
	uint32_t clock[LP_FACT_THREADS]; /* zero beyond the threads that there were */
};

/* More locks than there is room for are as good as not held. */
void lp_fact_take(struct lp_fact *, uintptr_t lock);
void lp_fact_let_go(struct lp_fact *, uintptr_t lock);

/* Of what is kept anyway no account is needed. */
enum lp_careful lp_facts_careful(const struct lp_omitted_facts *);
void lp_facts_put(struct lp_omitted_facts *, const struct lp_fact *);
/* Bytes that were read plainly; and atomically written, which was left out. */
void lp_facts_read(struct lp_omitted_facts *, uintptr_t loc, size_t size);
void lp_facts_written(struct lp_omitted_facts *, uintptr_t loc, size_t size);
/* A thread's own stack was written to in what was left out; another thread accessed a thread's stack;
 * and did so in what was left out: the variable may end where that cannot be seen. */
void lp_facts_own_stack(struct lp_omitted_facts *, uint32_t thread);
void lp_facts_stranger(struct lp_omitted_facts *, uint32_t thread);
void lp_facts_stranger_left_out(struct lp_omitted_facts *);
/* Too much happens for an account to be kept. */
void lp_facts_give_up(struct lp_omitted_facts *);

#endif
