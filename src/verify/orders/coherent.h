/* coherent.h -- decides whether an execution, given by its steps, is coherent.
 *
 *     irreflexive (hb ; eco?)
 *
 * Replaying an execution with other memory orders checks all axioms of rc11 except this one.  An explorer offers only coherent
 * choices to threads, but the choices of a replay are given by its steps, and need not be coherent.  So coherence is decided here,
 * from its definition.  The place of a write is its position in co; the place of a read is that of the write from which it reads.
 * If one access to a location happens before another one, the second must have a later place than the first.  If the second is a
 * read, it may also have the same place as the first.
 */
#ifndef LP_VERIFY_ORDERS_COHERENT_H
#define LP_VERIFY_ORDERS_COHERENT_H

#include <stdint.h>

struct lp_arena;
struct lp_step;

enum lp_coherence {
	LP_COHERENT,
	LP_NOT_COHERENT,
	LP_COHERENCE_UNDECIDED, /* two accesses overlap, but do not access exactly the same bytes */
};

/* The caller has filled in the happens-before of the steps (lp_step.hb). */
enum lp_coherence lp_coherent_steps(const struct lp_step *steps, uint32_t count, struct lp_arena *scratch);

#endif
