/* coherent.h -- is an execution, given by its steps, coherent?
 *
 *     irreflexive (hb ; eco?)
 *
 * Replaying an execution with other memory orders checks everything of rc11 but this: explorers
 * only ever offer threads what is coherent, and the steps of a replay are not offered, but given.
 * Here it is decided from its definition: of two accesses to a location, one of which happens before the
 * other, the second has the later place in co, or the same if it is a read.
 */
#ifndef LP_VERIFY_ORDERS_COHERENT_H
#define LP_VERIFY_ORDERS_COHERENT_H

#include <stdint.h>

struct lp_arena;
struct lp_step;

enum lp_coherence {
	LP_COHERENT,
	LP_NOT_COHERENT,
	LP_COHERENCE_UNDECIDED, /* accesses overlap without being of the same memory */
};

/* Steps have their happens-before. */
enum lp_coherence lp_steps_coherence(const struct lp_step *steps, uint32_t count, struct lp_arena *scratch);

#endif
