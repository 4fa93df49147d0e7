/* linchpin/history.h -- check recorded histories from a program of your own: link liblinchpin-history.
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
 * What calls, times, values and results mean is said in docs/histories.md.  Values are those of linchpin/spec.h;
 * a text is a value, too (lp_checker_text()).
 *
 * The interface is stable: functions and members are added, at the end, and not changed.  A checker belongs to one thread at
 * a time; several threads may have one each.  Nothing here ends the process: without memory, functions fail.
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

/* As a number of results: the call has returned, and what it gave is not known. */
#define LP_CHECKER_UNKNOWN (-1)

struct lp_checker;

struct lp_checker_call {
	uint32_t thread;
	int32_t result_count;   /* or LP_CHECKER_UNKNOWN; of no account if the call is pending */
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
	LP_CHECKER_ERROR = 2,     /* the calls do not fit the specification, say: lp_checker_error() */
	LP_CHECKER_UNDECIDED = 3, /* within the limits */
};

/* `spec` as for --spec: "queue", "register:init=nil".  NULL if there is none, or no memory; `error` (may be NULL) then
 * says why. */
LP_CHECKER_API struct lp_checker *lp_checker_open(const char *spec, char *error, size_t size);
LP_CHECKER_API void lp_checker_close(struct lp_checker *c); /* NULL is fine */

/* As for --prop; linearizable unless said otherwise.  False: lp_checker_error(). */
LP_CHECKER_API bool lp_checker_property(struct lp_checker *c, const char *property);

/* 0: no limit of time; a gigabyte for what a search remembers. */
LP_CHECKER_API void lp_checker_limits(struct lp_checker *c, double seconds, size_t bytes);

/* The number of the call, 0, 1, 2, ...; -1: lp_checker_error(). */
LP_CHECKER_API int64_t lp_checker_add(struct lp_checker *c, const struct lp_checker_call *call);

/* The value that stands for a text; LP_VOID if there is no memory. */
LP_CHECKER_API int64_t lp_checker_text(struct lp_checker *c, const char *text);

/* Adds all calls of a text in one of the formats of docs/histories.md: "json", "table", "edn", "etcd", "kv" or "auto".  Nothing
 * may have been added before.  False: lp_checker_error(), with the line.  This is the only way to add transactions
 * (specification "transactions", docs/transactions.md), of which the core is in the order of the cycle. */
LP_CHECKER_API bool lp_checker_read(struct lp_checker *c, const char *format, const char *text, size_t size);

LP_CHECKER_API uint32_t lp_checker_count(const struct lp_checker *c);

/* May be called again, after more calls were added. */
LP_CHECKER_API enum lp_checker_verdict lp_checker_decide(struct lp_checker *c);

/* Of the last verdict: why it is a violation, or undecided; how it was decided.  Of the last failure: what went
 * wrong.  "" if there is nothing to say; they hold until the next call on the checker. */
LP_CHECKER_API const char *lp_checker_reason(const struct lp_checker *c);
LP_CHECKER_API const char *lp_checker_method(const struct lp_checker *c);
LP_CHECKER_API const char *lp_checker_error(const struct lp_checker *c);

/* Of a violation: numbers of calls that are already wrong by themselves, by start; and the longest order of some of them
 * that the specification accepts.  Returns how many there are, and fills in up to `room`. */
LP_CHECKER_API uint32_t lp_checker_core(const struct lp_checker *c, uint32_t *calls, uint32_t room);
LP_CHECKER_API uint32_t lp_checker_attempt(const struct lp_checker *c, uint32_t *calls, uint32_t room);

/* A call for people, "dequeue() -> 7", into `text`; the line it was read from, or 0. */
LP_CHECKER_API const char *lp_checker_describe(const struct lp_checker *c, uint32_t call, char *text, size_t size);
LP_CHECKER_API uint32_t lp_checker_line(const struct lp_checker *c, uint32_t call);

#ifdef __cplusplus
}
#endif

#endif
