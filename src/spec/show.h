/* show.h -- states of specifications as text: "[1, 2]", "held". */
#ifndef LP_SPEC_SHOW_H
#define LP_SPEC_SHOW_H

#include <stddef.h>
#include <stdint.h>

struct lp_spec;
struct lp_state;

/* Writes a number, or the name of a special value, such as "empty". */
void lp_show_value(int64_t value, char *out, size_t size);

/* Writes a state, with the specification's own function if it has one (lp_kind.show), or else as a list of its words. */
void lp_state_show(const struct lp_spec *, const struct lp_state *, char *out, size_t size);

#endif
