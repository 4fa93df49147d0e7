/* naive_weak.h -- the conditions for replicated objects, straight from their definitions (docs/algorithms/weak.md). */
#ifndef LP_TESTS_NAIVE_WEAK_H
#define LP_TESTS_NAIVE_WEAK_H

#include <stdbool.h>

#include "check/weak/weak.h"
#include "history/history.h"
#include "spec/spec.h"

enum { NAIVE_WEAK_MOST = 7 };

/* At most so many calls, those of a thread by start.  `weak` only says which condition it is. */
bool naive_weak_is_right(const struct lp_history *h, const struct lp_spec *spec, const struct lp_weak *weak);

#endif
