/* coverage_flags.h -- what was executed, in any execution and by any process.
 *
 * Flags (frontend/abi.h) and what is known of sites (sites.h) are no part of an execution: they are neither saved
 * nor restored.  A forked process gets memory of its own for them, at the same address, that this one can
 * read: so processes do not write to the same cache lines, and what one of them has reached counts
 * even if it is killed.
 */
#ifndef LP_RUNTIME_COVERAGE_FLAGS_H
#define LP_RUNTIME_COVERAGE_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/abi.h"

struct lp_error;
struct lp_native;

bool lp_native_flag(struct lp_native *, uint32_t flag);
/* Any of the list. */
bool lp_native_any_flag(struct lp_native *, struct lp_flag_list);

/* A value that a method was called with (`which`: the number of the argument), or that it returned. */
#define LP_SEEN_RESULT UINT32_MAX
struct lp_value_seen {
	void *(*method)(void *); /* the body, as the client has it; NULL: the call ends at `pc` */
	uintptr_t pc;
	uint32_t which;
	int64_t value;
};

/* Tells of each, once.  False if there were too many to be kept all.  Noted with lp_runtime_options.coverage
 * only. */
bool lp_native_seen(struct lp_native *, void (*visit)(void *closure, const struct lp_value_seen *), void *closure);

/* Inside the runtime. */
void rt_coverage_value(const struct lp_value_seen *);
bool rt_coverage_reserve(struct lp_error *); /* before the program is loaded */
bool rt_coverage_open(struct lp_error *);
void rt_coverage_close(void);
/* What is reached from now on does not count; and does again. */
void rt_coverage_trial(bool begins);
/* All that processes have noted of a site; and nothing any more of any. */
uint8_t rt_coverage_site(uint32_t site);
void rt_coverage_forget_sites(void);

#endif
