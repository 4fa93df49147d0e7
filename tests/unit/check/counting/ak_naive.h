/* ak_naive.h -- A_k straight from its definition, for small histories. */
#ifndef LP_TESTS_AK_NAIVE_H
#define LP_TESTS_AK_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "history/history.h"
#include "spec/spec.h"

/* What has happened up to and with the end of call `last`; at equal times, starts
 * first, then ends in the order of the calls.  `part->at` is owned, the rest is h's. */
void naive_prefix(struct lp_history *part, const struct lp_history *h, uint32_t last);

/* One less than the number of distinct pasts. */
uint32_t naive_length(const struct lp_history *h);

/* The interval of a call in the canonical representation (Lemma 6.2). */
void naive_interval(const struct lp_history *h, uint32_t call, uint32_t *from, uint32_t *to);

/* Is a before b in A_k(h)? */
bool naive_before(const struct lp_history *h, unsigned k, uint32_t a, uint32_t b);

/* Has A_k(h) no linearization?  By trying all orders. */
bool naive_violates(const struct lp_history *h, const struct lp_spec *spec, unsigned k);

/* The first call, by end, whose return makes A_k of what happened impossible; UINT32_MAX
 * if there is none. */
uint32_t naive_first(const struct lp_history *h, const struct lp_spec *spec, unsigned k);

/* Calls that have returned, by end. */
uint32_t naive_ends(const struct lp_history *h, uint32_t *call);

#endif
