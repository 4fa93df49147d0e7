/* txn_spec.h -- what transactions are called where objects have a specification. */
#ifndef LP_CHECK_TXN_TXN_SPEC_H
#define LP_CHECK_TXN_TXN_SPEC_H

#include <stdbool.h>

/* It has parameters, and no methods: only histories are checked against it, by lp_txn_check(). */
extern const struct lp_kind lp_txn_spec;

/* Is that what `text` names, and not an object?  Then `*params` is what follows the colon, or NULL. */
bool lp_txn_spec_is(const char *text, const char **params);

#endif
