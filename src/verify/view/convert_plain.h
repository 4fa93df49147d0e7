/* convert_plain.h -- selects the plain accesses that a report shows, and finds the two accesses of a race. */
#ifndef LP_VERIFY_VIEW_CONVERT_PLAIN_H
#define LP_VERIFY_VIEW_CONVERT_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

struct lp_arena;
struct lp_exploration;
struct lp_plain_step;
struct lp_result_step;

/* One access of a race: a step, or a plain access; if neither, the allocation of the memory. */
struct lp_party {
	uint32_t step, plain; /* LP_STEP_NONE: none */
};

/* Finds the two accesses of a race, in their order.  Returns false if the error is not a race. */
bool lp_convert_race_parties(const struct lp_exploration *, struct lp_party *first, struct lp_party *second);

/* chosen[i]: plain access i is shown.  These are the accesses of a race, and, once threads have started,
 * accesses to memory that several threads access and one of them writes. */
void lp_plains_choose(const struct lp_exploration *, bool *chosen);

void lp_convert_plain(const struct lp_plain_step *, struct lp_result_step *out);

/* Fills in where the chosen accesses read from: the last write to the same memory among the `count` steps. */
void lp_plain_origins(struct lp_result_step *steps, uint32_t count);

#endif
