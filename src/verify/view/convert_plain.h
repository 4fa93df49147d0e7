/* convert_plain.h -- which plain accesses a report shows, and the two parties of a race. */
#ifndef LP_VERIFY_VIEW_CONVERT_PLAIN_H
#define LP_VERIFY_VIEW_CONVERT_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

struct lp_arena;
struct lp_exploration;
struct lp_plain_step;
struct lp_result_step;

/* A party of a race: a step, or a plain access; neither: the allocation of the memory. */
struct lp_party {
	uint32_t step, plain; /* LP_STEP_NONE: none */
};

/* Who raced with whom: the one that came first, and the one that met it.  False if it is no race. */
bool lp_race_parties(const struct lp_exploration *, struct lp_party *first, struct lp_party *second);

/* chosen[i]: plain access i is worth showing.  Those of a race are, and those to memory that several
 * threads access and one of them writes, once threads have begun. */
void lp_plains_choose(const struct lp_exploration *, bool *chosen);

void lp_convert_plain(const struct lp_plain_step *, struct lp_result_step *out);

/* Says where the chosen ones read from: the last write to the same memory among the `count` steps. */
void lp_plain_origins(struct lp_result_step *steps, uint32_t count);

#endif
