/* naive.h -- all consistent execution graphs of a script, by brute force.
 *
 * Candidates are grown event by event: a read may take any write of its location
 * that is already there, whatever the model says.  Since every model here forbids
 * cycles of po and rf, each consistent graph can be grown so that reads come after
 * their sources, and nothing is missed.  Of each candidate all coherence orders
 * are tried, and the axioms (axioms.h) are checked from their definition.
 *
 * Plain accesses are events like others, and so is the end of a location's life: whether
 * there is a race, or a use after free, is read off the happens-before of each graph.
 *
 * It shares with the explorers the script (src/program/) and nothing else.
 */
#ifndef LP_ORACLE_NAIVE_H
#define LP_ORACLE_NAIVE_H

#include "describe.h"
#include "explore/explore.h"

struct naive_options {
	enum lp_model model;
	bool spin;           /* leave out executions with redundant loop iterations ... */
	uint32_t patience;   /* ... but for that many of each thread: they may race */
	uint32_t rounds;     /* bound on each thread's backward jumps (script.h); 0: none */
	bool cut_spins;      /* a thread that the bound stops may spin forever: as it went round last */
	bool weak_fails;
	bool plain;          /* show plain accesses in graphs */
	bool symmetry;       /* graphs up to the names of like threads */
	bool judge;          /* stop at the first data race or misuse of memory: then the
	                      * verdict is known, and values mean nothing any more */
	uint32_t max_states; /* of candidates; 0: a default */
};

struct naive_result {
	struct graph_set graphs; /* of complete executions, sorted */
	struct graph_set outcomes;
	bool too_large;          /* gave up: nothing else is meaningful */
	bool assertion;          /* some consistent graph has a failed assertion */
	bool stuck;              /* ... has all unfinished threads waiting or spinning for
	                          * what the last writes do not give them */
	uint32_t stuck_with;     /* which have ended in such graphs: naive_stuck_bit() */
	bool cut;                /* some thread was stopped by the bound on backward jumps */
	bool race;
	bool misuse;             /* ... accesses or frees what may have been freed */
	bool out_of_bounds;
	bool ill_formed;         /* ... accesses what may not yet be allocated: no program of ours */
	uint32_t states;
};

/* The bit for graphs in which these threads have ended.  `ended` has a bit for each thread; the first one, which
 * joins the others, and those from the sixth on do not count. */
static inline uint32_t naive_stuck_bit(uint32_t ended)
{
	return UINT32_C(1) << (ended >> 1 & 15);
}

void naive_enumerate(const struct lp_script *, const struct naive_options *,
		     struct naive_result *out);
void naive_result_drop(struct naive_result *);

#endif
