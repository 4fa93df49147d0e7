/* linchpin/history.h -- check recorded histories from within your own program, which is linked with
 * liblinchpin-history.
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
 * The interface is stable: functions and members may be added at the end, but are not changed.  Only one thread at a
 * time may use a checker, but several threads may each have a checker of their own.  No function ends the process: if
 * memory runs out, functions fail.
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

/* The value of `end` if the call has not returned. */
#define LP_CHECKER_PENDING INT64_MAX

/* The value of `result_count` if the call has returned, but its result is not known. */
#define LP_CHECKER_UNKNOWN (-1)

struct lp_checker;

struct lp_checker_call {
	uint32_t thread;
	int32_t result_count;   /* or LP_CHECKER_UNKNOWN; ignored if the call is pending */
	int64_t start, end;     /* times in any unit (after lp_checker_read(): that of the text), within +-2^62; `end` may also be LP_CHECKER_PENDING */
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
	LP_CHECKER_UNDECIDED = 3, /* for example, a limit on time or memory was reached: lp_checker_reason() */
};

/* Opens a checker for a specification, which is named as for --spec: "queue", "register:init=nil".  Returns NULL if
 * there is no such specification or not enough memory.  In this case, the reason is written to `error`, which has
 * `size` bytes, unless `error` is NULL. */
LP_CHECKER_API struct lp_checker *lp_checker_open(const char *spec, char *error, size_t size);
LP_CHECKER_API void lp_checker_close(struct lp_checker *c); /* NULL is fine */

/* Sets the property to check, named as for --prop; the default is "linearizable".  If the function returns false,
 * lp_checker_error() says why. */
LP_CHECKER_API bool lp_checker_property(struct lp_checker *c, const char *property);

/* Limits the time of a check and the memory of a search.  0 seconds means no limit, and 0 bytes means one gigabyte. */
LP_CHECKER_API void lp_checker_limits(struct lp_checker *c, double seconds, size_t bytes);

/* Adds a call.  Returns its number (0, 1, 2, ...), or -1 if it fails; then lp_checker_error() says why. */
LP_CHECKER_API int64_t lp_checker_add(struct lp_checker *c, const struct lp_checker_call *call);

/* Returns the value that stands for a text, or LP_VOID if memory runs out. */
LP_CHECKER_API int64_t lp_checker_text(struct lp_checker *c, const char *text);

/* Adds all calls of a text in one of the formats of docs/histories.md: "json", "table", "edn", "etcd", "kv" or "auto".
 * The checker must have no calls yet.  If the function returns false, lp_checker_error() says why, and in which line.
 * This is the only way to add transactions (specification "transactions", docs/transactions.md); for them,
 * lp_checker_core() lists the transactions of a cycle in the order of the cycle. */
LP_CHECKER_API bool lp_checker_read(struct lp_checker *c, const char *format, const char *text, size_t size);

LP_CHECKER_API uint32_t lp_checker_count(const struct lp_checker *c);

/* Checks the calls added so far.  More calls may be added afterwards, and the function may be called again. */
LP_CHECKER_API enum lp_checker_verdict lp_checker_decide(struct lp_checker *c);

/* lp_checker_reason() says why the last verdict is a violation or undecided, lp_checker_method() how the history was
 * checked, and lp_checker_error() why the last function failed.  Each text may be "", and is valid until the next function
 * is called for this checker. */
LP_CHECKER_API const char *lp_checker_reason(const struct lp_checker *c);
LP_CHECKER_API const char *lp_checker_method(const struct lp_checker *c);
LP_CHECKER_API const char *lp_checker_error(const struct lp_checker *c);

/* These two functions explain a violation.  The core is a set of calls that violate the property even without all other
 * calls; it is in the order of the starts of the calls.  The attempt is the longest sequence of calls that the checker
 * found and the specification accepts.  Both functions write the numbers of at most `room` calls, and return how many
 * there are. */
LP_CHECKER_API uint32_t lp_checker_core(const struct lp_checker *c, uint32_t *calls, uint32_t room);
LP_CHECKER_API uint32_t lp_checker_attempt(const struct lp_checker *c, uint32_t *calls, uint32_t room);

/* lp_checker_describe() writes a call to `text`, such as "dequeue() -> 7", and returns `text`.  lp_checker_line() returns
 * the line that the call was read from, or 0. */
LP_CHECKER_API const char *lp_checker_describe(const struct lp_checker *c, uint32_t call, char *text, size_t size);
LP_CHECKER_API uint32_t lp_checker_line(const struct lp_checker *c, uint32_t call);

#ifdef __cplusplus
}
#endif

#endif
