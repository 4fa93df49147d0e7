/* ltl_word.h -- decides from the definition whether a formula holds on a run that ends in a cycle.
 *
 * The run consists of the letters 0 .. count - 1; after letter count - 1, the letters from number `loop` on repeat forever.
 * linchpin confirms every violation of a formula with this function, and the tests compare the automaton with it.
 */
#ifndef LP_LTL_LTL_WORD_H
#define LP_LTL_LTL_WORD_H

#include "ltl/ltl.h"

bool lp_ltl_holds(const struct lp_ltl *, lp_ltl_id, const uint32_t *letters, uint32_t count, uint32_t loop);

#endif
