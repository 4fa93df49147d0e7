/* ltl_automaton.h -- the automaton that accepts the runs on which a formula holds.
 *
 * After Couvreur, "On-the-fly verification of linear temporal logic", FM 1999.  A state is a set of formulae
 * that must hold from now on.  A transition is one way to make these formulae hold.  The transition says which
 * atoms the letter must and must not have, which formulae must hold from the next letter on, and which
 * formulae f U g, called untils, it *postpones*: those whose right-hand side g does not hold yet.  A run is
 * accepted if, for each until, infinitely many transitions of the run do not postpone the until
 * (transition-based generalised Büchi acceptance).  The whole automaton is computed at once, since formulae
 * are small.
 */
#ifndef LP_LTL_LTL_AUTOMATON_H
#define LP_LTL_LTL_AUTOMATON_H

#include "ltl/ltl.h"

/* A transition. */
struct lp_ltl_edge {
	uint32_t must, must_not; /* the atoms that the letter must, or must not, have */
	uint32_t to;             /* the next state */
	uint32_t postpones;      /* a bit for each until */
};

struct lp_ltl_automaton {
	struct {
		LP_VEC(struct lp_ltl_edge);
	} edges;
	struct {
		LP_VEC(uint32_t); /* for each state the index of its first edge; a last entry has the number of all edges */
	} first;
	uint32_t states;  /* the number of states; runs begin in state 0 */
	uint32_t untils;  /* the number of untils */
	uint32_t widest;  /* the largest number of edges of a state */
};

/* Makes the automaton of a formula.  Returns false if the formula is too large. */
bool lp_ltl_automaton(struct lp_ltl_automaton *, const struct lp_ltl *, lp_ltl_id, struct lp_error *);
void lp_ltl_automaton_close(struct lp_ltl_automaton *);

/* Can the transition be taken with this letter? */
static inline bool lp_ltl_edge_reads(const struct lp_ltl_edge *e, uint32_t letter)
{
	return (letter & e->must) == e->must && !(letter & e->must_not);
}

#endif
