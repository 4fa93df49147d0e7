/* convert_plain.h -- selects the plain accesses that a report shows, and finds the two accesses of a race. */
#ifndef LP_VERIFY_VIEW_CONVERT_PLAIN_H
#define LP_VERIFY_VIEW_CONVERT_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

struct lp_arena;
struct lp_exploration;
struct lp_plain_step;
struct lp_result_step;

/* One of the two accesses of a race: a step or a plain access.  If both indices are LP_STEP_NONE, the access is the allocation of
 * the memory. */
struct lp_party {
	uint32_t step, plain; /* the index of the step, and that of the plain access; LP_STEP_NONE if the access is no step, or no
			       * plain access */
};

/* Finds the two accesses of a race, in their order.  Returns false if the error is not a race. */
bool lp_convert_race_parties(const struct lp_exploration *, struct lp_party *first, struct lp_party *second);

/* Sets chosen[i] if plain access i is to be shown.  To be shown are the two accesses of a race; and, once threads have started, all
 * accesses to memory that several threads access and that at least one of them writes. */
void lp_plains_choose(const struct lp_exploration *, bool *chosen);

void lp_convert_plain(const struct lp_plain_step *, struct lp_result_step *out);

/* Fills in where plain accesses among these steps read from: the last earlier step that wrote the same memory.  Fills in nothing if
 * that step wrote a value other than the one that was read. */
void lp_plain_origins(struct lp_result_step *steps, uint32_t count);

#endif
