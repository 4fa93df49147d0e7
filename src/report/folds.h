/* folds.h -- groups of steps that reports show as one row.
 *
 * What a client's main thread does before its other threads, and after them, is usually the same in every execution: it
 * constructs the object, makes the first calls, and frees what is left.  The same is true of a program that initialises
 * many variables before it starts threads.  Reports show such steps on demand only.  Steps that explain the violation
 * are never folded: the decisive step (decisive.h), the step that it reads from, the newer write that it does not see,
 * the accesses of a race, and the last step of the thread that fails.
 */
#ifndef LP_REPORT_FOLDS_H
#define LP_REPORT_FOLDS_H

#include <stdint.h>

struct lp_result_violation;

enum lp_fold_kind {
	LP_FOLD_SETUP, /* the set-up of a client */
	LP_FOLD_FIRST, /* the set-up of a client and its first calls */
	LP_FOLD_MAIN,  /* what a program does before it starts threads */
	LP_FOLD_END,   /* what a client does after its threads */
};

/* Steps `from` to `to`, at least two, all of thread 0. */
struct lp_result_fold {
	enum lp_fold_kind kind;
	uint32_t from, to;
};

/* Finds the folds, stores them in the order of their steps, and returns their number, which is at most
 * LP_FOLDS_MOST. */
enum { LP_FOLDS_MOST = 16 };
uint32_t lp_result_folds(const struct lp_result_violation *, struct lp_result_fold out[LP_FOLDS_MOST]);

/* lp_fold_name() returns a noun, "set-up".  lp_fold_clause() returns a predicate whose subject is the thread:
 * "sets up". */
const char *lp_fold_name(enum lp_fold_kind);
const char *lp_fold_clause(enum lp_fold_kind);

#endif
