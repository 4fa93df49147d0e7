/* txn_spec.h -- the name "transactions", which users write in the place of a specification. */
#ifndef LP_CHECK_TXN_TXN_SPEC_H
#define LP_CHECK_TXN_TXN_SPEC_H

#include <stdbool.h>

/* A kind that has parameters, but no methods.  It is only used to check histories with
 * lp_txn_check(). */
extern const struct lp_kind lp_txn_spec;

/* Does `text` name transactions?  If so, sets `*params` to what follows the colon, or to NULL. */
bool lp_txn_spec_is(const char *text, const char **params);

#endif
