/* linchpin/history.h -- check recorded histories from your own program; link with liblinchpin-history.
 *
 *     struct lp_checker *c = lp_checker_open("queue", NULL, 0);
 *     int64_t seven = 7;
 *     lp_checker_add(c, &(struct lp_checker_call){ .thread = 0, .start = 1, .end = 5, .method = "enqueue",
 *                                                  .args = &seven, .arg_count = 1 });
 *     lp_checker_add(c, &(struct lp_checker_call){ .thread = 1, .start = 3, .end = 9, .method = "dequeue",
 *                                                  .results = &seven, .result_count = 1 });
 *     if (lp_checker_decide(c) == LP_CHECKER_VIOLATION)
 *             puts(lp_checker_reason(c));
 *     lp_checker_close(c);
 *
 * docs/histories.md explains calls, times, values and results.  Values are those of linchpin/spec.h; a text is a
 * value, too (lp_checker_text()).
 *
 * The interface is stable: functions and members may be added at the end, but are not changed.  A checker may be used by one
 * thread at a time; several threads may have one each.  Nothing here ends the process: if memory runs out, functions fail.
 */
#ifndef LINCHPIN_HISTORY_H
#define LINCHPIN_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linchpin/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LP_CHECKER_API __attribute__((visibility("default")))

/* As an end: the call has not returned. */
#define LP_CHECKER_PENDING INT64_MAX

/* As a number of results: the call has returned, and its result is not known. */
#define LP_CHECKER_UNKNOWN (-1)

struct lp_checker;

struct lp_checker_call {
	uint32_t thread;
	int32_t result_count;   /* or LP_CHECKER_UNKNOWN; ignored if the call is pending */
	int64_t start, end;     /* in any unit, within +-2^62; end: or LP_CHECKER_PENDING */
	const char *method;
	const int64_t *args;
	const int64_t *results;
	uint32_t arg_count;     /* at most LP_MAX_ARGS */
};

/* The numbers are the exit statuses of `linchpin history`. */
enum lp_checker_verdict {
	LP_CHECKER_VERIFIED = 0,
	LP_CHECKER_VIOLATION = 1,
	LP_CHECKER_ERROR = 2,     /* for example, the calls do not fit the specification: lp_checker_error() */
	LP_CHECKER_UNDECIDED = 3, /* within the limits */
};

/* `spec` as for --spec: "queue", "register:init=nil".  NULL if there is no such specification, or no memory; `error` (may be
 * NULL) then says why. */
LP_CHECKER_API struct lp_checker *lp_checker_open(const char *spec, char *error, size_t size);
LP_CHECKER_API void lp_checker_close(struct lp_checker *c); /* NULL is fine */

/* As for --prop; the default is linearizable.  False: see lp_checker_error(). */
LP_CHECKER_API bool lp_checker_property(struct lp_checker *c, const char *property);

/* Limits on time and on the memory of a search; 0: no time limit, one gigabyte. */
LP_CHECKER_API void lp_checker_limits(struct lp_checker *c, double seconds, size_t bytes);

/* Adds a call.  Returns its number, 0, 1, 2, ...; or -1: see lp_checker_error(). */
LP_CHECKER_API int64_t lp_checker_add(struct lp_checker *c, const struct lp_checker_call *call);

/* The value that stands for a text; LP_VOID if there is no memory. */
LP_CHECKER_API int64_t lp_checker_text(struct lp_checker *c, const char *text);

/* Adds all calls of a text in one of the formats of docs/histories.md: "json", "table", "edn", "etcd", "kv" or "auto".  The
 * checker must have no calls yet.  False: see lp_checker_error(), which has the line.  This is the only way to add transactions
 * (specification "transactions", docs/transactions.md); their core is in the order of the cycle. */
LP_CHECKER_API bool lp_checker_read(struct lp_checker *c, const char *format, const char *text, size_t size);

LP_CHECKER_API uint32_t lp_checker_count(const struct lp_checker *c);

/* May be called again, after more calls were added. */
LP_CHECKER_API enum lp_checker_verdict lp_checker_decide(struct lp_checker *c);

/* lp_checker_reason(): why the last verdict is a violation, or undecided.  lp_checker_method(): how it was decided.
 * lp_checker_error(): why the last function failed.  All may be ""; they are valid until the next call on the checker. */
LP_CHECKER_API const char *lp_checker_reason(const struct lp_checker *c);
LP_CHECKER_API const char *lp_checker_method(const struct lp_checker *c);
LP_CHECKER_API const char *lp_checker_error(const struct lp_checker *c);

/* For a violation.  Core: the numbers of calls that are wrong by themselves, in the order of their starts.  Attempt: the
 * longest order of some of them that the specification accepts.  Returns their number, and fills in up to `room`. */
LP_CHECKER_API uint32_t lp_checker_core(const struct lp_checker *c, uint32_t *calls, uint32_t room);
LP_CHECKER_API uint32_t lp_checker_attempt(const struct lp_checker *c, uint32_t *calls, uint32_t room);

/* A call as text, "dequeue() -> 7", written to `text`; and the line that it was read from, or 0. */
LP_CHECKER_API const char *lp_checker_describe(const struct lp_checker *c, uint32_t call, char *text, size_t size);
LP_CHECKER_API uint32_t lp_checker_line(const struct lp_checker *c, uint32_t call);

#ifdef __cplusplus
}
#endif

#endif
