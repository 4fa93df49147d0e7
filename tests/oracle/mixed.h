/* mixed.h -- the graph explorer, with its reductions on and off, against the naive judge.
 *
 * For one program and model, each of several sets of reductions has to agree with the naive
 * enumerator: it finds an error exactly if there is one.  If no graph has a race or misuses
 * memory, the error is of a kind that some graph has; and if there is no error, outcomes are the
 * same, and without reductions the graphs are, too.
 */
#ifndef LP_ORACLE_MIXED_H
#define LP_ORACLE_MIXED_H

#include "explore/explore.h"

enum mixed_answer { MIXED_SAME, MIXED_DIFFERENT, MIXED_TOO_LARGE, MIXED_ILL_FORMED };

enum { MIXED_REDUCTIONS = 7 };

struct mixed_tally {
	uint64_t programs, wrong, undefined, too_large, ill_formed, graphs, explorations;
	uint64_t mattered[MIXED_REDUCTIONS]; /* of every eighth program: without it the
	                                      * exploration was another one */
};

#define MIXED_EVERY UINT64_MAX

struct mixed_options {
	enum lp_model model;
	uint64_t seed;    /* which sets of reductions are tried besides the fixed ones;
	                   * MIXED_EVERY: all */
	unsigned without; /* reductions that are not used: bits, see mixed_reduction() */
	bool loud;        /* say what differs */
};

/* The bit of the reduction of that name, or 0; and the name of reduction i. */
unsigned mixed_reduction(const char *name);
const char *mixed_reduction_name(unsigned i);

enum mixed_answer mixed_compare(const char *text, const struct mixed_options *, struct mixed_tally *);

#endif
