/* history_txn.h -- histories of transactions: `linchpin history --spec transactions`. */
#ifndef LP_CLI_HISTORY_HISTORY_TXN_H
#define LP_CLI_HISTORY_HISTORY_TXN_H

#include <stdbool.h>

struct lp_check_options;
struct lp_error;
struct lp_history;
struct lp_history_result;
struct lp_history_words;
struct lp_spec;
struct lp_txn_level;

/* Prepares an empty history for transactions. */
void lp_txn_history_open(struct lp_history *h);

/* Checks the transactions of `h`, and fills in `out`.  `options` has the limits, and says whether to explain a
 * violation. */
bool lp_txn_history_check(const struct lp_history_words *words, const struct lp_history *h, const struct lp_txn_level *level,
			  const struct lp_check_options *options, struct lp_history_result *out,
			  struct lp_error *error);

/* Returns true if `so_far`, the first transactions of a stream, are already wrong.  Returns false if they are not, or
 * if this cannot be decided yet. */
bool lp_txn_history_is_wrong(const struct lp_history *so_far, const struct lp_spec *spec, const struct lp_txn_level *level,
			     const struct lp_check_options *options);

#endif
