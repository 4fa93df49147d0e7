/* coverage_flags.h -- records which code was executed, in any execution and by any process, and with which arguments and
 * results methods were called.
 *
 * Flags (frontend/abi.h) and the bits of sites (hooks/sites.h) are not part of an execution: the explorer's snapshots
 * neither save nor restore them.  Each forked process has its own memory for them, at the same address, and the parent can
 * read the memory of all processes.  So processes do not write to the same cache lines, and the code that a process has
 * reached counts even if the process is killed.  From the 65th forked process on, a process shares its memory with an
 * earlier one.
 */
#ifndef LP_RUNTIME_COVERAGE_FLAGS_H
#define LP_RUNTIME_COVERAGE_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/abi.h"

struct lp_error;
struct lp_native;

bool lp_native_flag(struct lp_native *, uint32_t flag);
/* Is a flag of the list set? */
bool lp_native_any_flag(struct lp_native *, struct lp_flag_list);

/* An argument with which a method was called, or a result.  `which` is the number of the argument, or
 * LP_SEEN_RESULT. */
#define LP_SEEN_RESULT UINT32_MAX
struct lp_value_seen {
	void *(*method)(void *); /* the body of the method; NULL: not known, only `pc` is */
	uintptr_t pc;            /* if `method` is NULL: the place where the call returns */
	uint32_t which;
	int64_t value;
};

/* Visits each recorded value once.  Returns false if there were more values than could be recorded.
 * Values are recorded only with lp_runtime_options.coverage. */
bool lp_native_seen(struct lp_native *, void (*visit)(void *closure, const struct lp_value_seen *), void *closure);

/* The following functions are used inside the runtime only. */
struct lp_bytes;
struct lp_cursor;
void rt_coverage_write(struct lp_bytes *); /* the flags, bits of sites and values of all processes */
bool rt_coverage_merge(struct lp_cursor *);
void rt_coverage_write_sites(struct lp_bytes *); /* only the bits of sites */
bool rt_coverage_merge_sites(struct lp_cursor *);
void rt_coverage_value(const struct lp_value_seen *);
bool rt_coverage_reserve(struct lp_error *); /* before the program is loaded */
bool rt_coverage_open(struct lp_error *);
void rt_coverage_close(void);
/* To be called when a trial begins or ends.  When it ends, the flags and bits are restored, so code that only a trial
 * reaches does not count. */
void rt_coverage_trial(bool begins);
/* rt_coverage_site() returns the bits of a site, from all processes.  rt_coverage_forget_sites()
 * clears the bits of all sites. */
uint8_t rt_coverage_site(uint32_t site);
void rt_coverage_forget_sites(void);

#endif
