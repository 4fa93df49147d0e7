/* coverage_flags.h -- what was executed, in any execution and by any process.
 *
 * Flags (frontend/abi.h) and the bits of sites (sites.h) are not part of an execution: they are neither saved nor
 * restored.  A forked process gets memory of its own for them, at the same address, which the parent can
 * read.  So processes do not write to the same cache lines, and what a process has reached counts even if it is
 * killed.
 */
#ifndef LP_RUNTIME_COVERAGE_FLAGS_H
#define LP_RUNTIME_COVERAGE_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/abi.h"

struct lp_error;
struct lp_native;

bool lp_native_flag(struct lp_native *, uint32_t flag);
/* Is any flag of the list set? */
bool lp_native_any_flag(struct lp_native *, struct lp_flag_list);

/* A value that a method was called with (`which`: the number of the argument), or that it returned. */
#define LP_SEEN_RESULT UINT32_MAX
struct lp_value_seen {
	void *(*method)(void *); /* the body, as the client has it; NULL: the call ends at `pc` */
	uintptr_t pc;
	uint32_t which;
	int64_t value;
};

/* Visits each value once.  False if there were too many to keep all.  Values are only recorded with
 * lp_runtime_options.coverage. */
bool lp_native_seen(struct lp_native *, void (*visit)(void *closure, const struct lp_value_seen *), void *closure);

/* Inside the runtime. */
struct lp_bytes;
struct lp_cursor;
void rt_coverage_write(struct lp_bytes *); /* of all processes */
bool rt_coverage_merge(struct lp_cursor *);
void rt_coverage_write_sites(struct lp_bytes *); /* only the bits of sites */
bool rt_coverage_merge_sites(struct lp_cursor *);
void rt_coverage_value(const struct lp_value_seen *);
bool rt_coverage_reserve(struct lp_error *); /* before the program is loaded */
bool rt_coverage_open(struct lp_error *);
void rt_coverage_close(void);
/* From the beginning of a trial to its end, what is reached does not count. */
void rt_coverage_trial(bool begins);
/* The bits of a site over all processes; and clears those of all sites. */
uint8_t rt_coverage_site(uint32_t site);
void rt_coverage_forget_sites(void);

#endif
