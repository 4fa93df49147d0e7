/* growth.h -- inside the naive enumerator: a candidate that grows. */
#ifndef LP_ORACLE_GROWTH_H
#define LP_ORACLE_GROWTH_H

#include "axioms.h"
#include "naive.h"
#include "visited.h"

#define MAX_THREADS 16
#define MAX_LOCS 16
#define NOT_SPINNING UINT32_MAX

/* A thread has come to an operation on a loop. */
struct arrival {
	lp_tid thread;
	uint32_t event;  /* number of events at the time */
	uint32_t writes; /* of the thread, up to here */
	bool redundant;  /* it was here before */
	uint64_t state[2];
};

/* A thread has ended the life of a location. */
struct ending {
	lp_tid thread;
	uint32_t index; /* events of the thread before */
	uintptr_t loc;
};

struct growth {
	struct lp_observer observer;
	const struct lp_script *script;
	const struct naive_options *options;
	struct naive_result *result;
	struct lp_program *program;
	struct { LP_VEC(struct seen_event); } events; /* in the order of growth */
	struct { LP_VEC(struct arrival); } arrivals;
	struct { LP_VEC(struct ending); } endings;
	uint32_t spinning[MAX_THREADS]; /* first event of the redundant iteration */
	uint32_t round[MAX_THREADS];    /* first event since the thread jumped back */
	bool has_plain, script_allocates;
	bool stop; /* nothing more is wanted */

	struct visited visited; /* candidates */

	struct candidate candidate;
	uint32_t checks, orders;
	struct { LP_VEC(uint32_t); } co[MAX_LOCS]; /* permuted in place; indices of events */
};

static inline uint32_t loc_of(const struct lp_op *op)
{
	return (uint32_t)((op->loc - lp_script_address(0)) / 64);
}

/* May the thread, with that operation pending, have to wait?  Has the bound on backward jumps stopped it? */
bool naive_is_waiting(const struct lp_op *);
bool naive_is_cut(const struct growth *, lp_tid, const struct lp_op *);

/* The candidate has its co, and every thread has ended, joins, waits, spins or is cut: forever? */
bool naive_is_stuck(struct growth *);

#endif
