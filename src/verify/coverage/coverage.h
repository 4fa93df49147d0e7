/* coverage.h -- coverage: collects which parts of the program were reached, and adds them to the result. */
#ifndef LP_VERIFY_COVERAGE_COVERAGE_H
#define LP_VERIFY_COVERAGE_COVERAGE_H

#include <stdbool.h>

#include "base/vec.h"
#include "report/results/coverage_report.h"

struct lp_arena;
struct lp_harness;
struct lp_native;
struct lp_result;
struct lp_task;

/* Is --coverage or --lcov given? */
bool lp_coverage_wanted(const struct lp_task *);

/* If coverage is wanted, asks the explorer and the runtime to record it.  To be called before the program is loaded.
 * Returns true in all cases, so that callers can combine it with functions that may fail. */
bool lp_coverage_ask(struct lp_task *);

/* Collects the coverage so far; later calls do nothing.  `harness` is the harness of the object, or NULL for a
 * program.  Without --coverage only lines and branches are collected. */
void lp_coverage_take(struct lp_task *, const struct lp_harness *);

/* Adds the coverage to the result.  If the result is "verified" and some branches were not reached, the scope of
 * the result says so. */
void lp_coverage_show(struct lp_task *, struct lp_result *);

/* The following functions are the parts of lp_coverage_take(), in coverage_lines.c and coverage_facts.c.  Results are in the arena. */
void lp_coverage_files(struct lp_native *, struct lp_arena *, struct lp_cover *);
/* `orders`: the explorer has recorded which acquires and releases have synchronised.  `weak_fails`: weak compare-exchanges can fail
 * spuriously. */
void lp_coverage_facts(struct lp_native *, struct lp_arena *, bool orders, bool weak_fails, struct lp_cover *);
void lp_coverage_methods(struct lp_native *, const struct lp_harness *, struct lp_arena *, struct lp_cover *);

#endif
