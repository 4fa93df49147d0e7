/* repeated.h -- histories in which the same value was written twice to a register. */
#ifndef LP_CHECK_TXN_REPEATED_H
#define LP_CHECK_TXN_REPEATED_H

#include "check/txn/txn.h"

/* The function that checks a history without ambiguous values. */
typedef void lp_txn_check_plain(const struct lp_history *h, const struct lp_txn_options *options,
				struct lp_txn_result *result);

/* An ambiguous read may have read any of several equal writes.  The function tries each way to choose one write for each
 * such read, and checks each resulting history.  `result` becomes correct or wrong, or stays undecided if that takes too
 * long. */
void lp_txn_check_repeated(const struct lp_history *h, const struct lp_txn_options *options, lp_txn_check_plain *plain,
			   struct lp_txn_result *result);

#endif
