/* coherent.h -- decides whether an execution, given by its steps, is coherent.
 *
 *     irreflexive (hb ; eco?)
 *
 * Replaying an execution with other memory orders checks all axioms of rc11 except this one.  An explorer
 * only offers coherent choices to threads, but the choices of a replay are given by its steps.  So coherence is decided here,
 * from its definition.  The place of a write in co is its position; the place of a read is that of the write from which it reads.  If
 * one access to a location happens before another one, the second must have a later place in co, or the same place if the second is a
 * read.
 */
#ifndef LP_VERIFY_ORDERS_COHERENT_H
#define LP_VERIFY_ORDERS_COHERENT_H

#include <stdint.h>

struct lp_arena;
struct lp_step;

enum lp_coherence {
	LP_COHERENT,
	LP_NOT_COHERENT,
	LP_COHERENCE_UNDECIDED, /* accesses overlap without being equal */
};

/* The caller has filled in the happens-before of the steps (lp_step.hb). */
enum lp_coherence lp_coherent_steps(const struct lp_step *steps, uint32_t count, struct lp_arena *scratch);

#endif
