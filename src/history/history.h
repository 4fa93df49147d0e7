/* history.h -- recorded calls: their threads, methods, times and results.
 *
 * A call is an interval of time.  One call precedes another iff it ended before
 * the other started.  If one ends exactly when the other starts, they overlap, unless
 * `ties_are_ordered`: then the first precedes the second, except that calls without
 * duration at the same time overlap each other.
 * A call without an end is pending: it may have taken effect at any time after its
 * start, or not at all.  A call may also have an end and an unknown result.
 *
 * Calls are named by their index, a 32-bit id, in the order they were read.
 *
 * Values are 64-bit integers as in linchpin/spec.h.  A text is a value too: the
 * number that lp_texts gave it, below LP_LOWEST.
 *
 * Invariants:
 *   H1  start <= end, both within +-2^62, or end is LP_PENDING;
 *   H2  a pending call's result is unknown;
 *   H3  a call with more than one result has them in `values` from `result` on.
 *
 * Ownership: lp_history_close() frees everything; a zeroed history is empty.
 */
#ifndef LP_HISTORY_HISTORY_H
#define LP_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "linchpin/spec.h"

#define LP_PENDING INT64_MAX
#define LP_MAX_TIME (INT64_C(1) << 62)

enum {
	LP_RESULT_UNKNOWN = 0xffffff, /* the value of lp_call.results if the results are unknown */
	LP_MAX_RESULTS = LP_RESULT_UNKNOWN - 1,
};

struct lp_call {
	int64_t start, end;
	int64_t arg[LP_MAX_ARGS];
	int64_t result;  /* the result, if there is one; if there are several, the index of the first one in
			  * `values` */
	uint32_t thread;
	uint32_t line;   /* where it was read, from 1 */
	uint16_t method; /* index into `methods` */
	uint8_t args;
	uint32_t results;
};

struct lp_texts;
struct lp_txns;

struct lp_history {
	LP_VEC(struct lp_call);
	struct {
		LP_VEC(char *);
	} methods; /* the names of methods as the input spells them */
	struct {
		LP_VEC(int64_t);
	} values;
	struct lp_texts *texts;
	struct lp_txns *txns; /* if calls are transactions, what each of them did (txns.h); else NULL */
	char *name; /* the name of the input, for messages; or NULL */

	/* The initial value of a register or a missing key, if the format defines
	 * one: LP_NIL, or the empty text. */
	bool has_initial;
	int64_t initial;

	bool ties_are_ordered;
	bool has_times; /* some call has explicit times, instead of the order of events */
	bool in_billionths; /* some time was not a whole number, so all times are in billionths of the unit of the input */
	bool is_cut;    /* reading ended before the input did: lp_read_watch.is_enough */

	/* The history was completed afterwards: an invocation may list the result after the arguments, so `arg` may
	 * contain both until lp_history_fit() separates them.  Until then, `result` of a call without results is
	 * the last value of its return, or LP_VOID. */
	bool is_completed;
};

void lp_history_close(struct lp_history *h);

/* The index of a method's name, added if it is new. */
uint16_t lp_history_method(struct lp_history *h, const char *name, size_t length);

/* The value of a text; h->texts is created when it is first needed. */
int64_t lp_history_text(struct lp_history *h, const char *text, size_t length);

/* How many units of times make one unit of the input. */
static inline int64_t lp_history_unit(const struct lp_history *h)
{
	return h->in_billionths ? INT64_C(1000000000) : 1;
}

static inline bool lp_call_is_pending(const struct lp_call *c)
{
	return c->end == LP_PENDING;
}

/* A sort key for the start or the end of a call: a call a precedes a call b iff the key of a's end is below the key
 * of b's start. */
static inline uint64_t lp_call_moment(const struct lp_history *h, const struct lp_call *c, bool end)
{
	const int64_t time = end ? c->end : c->start;
	const bool is_instant = c->start == c->end;

	/* The key of the largest time would overflow, so that time gets the same key as the time before it. */
	if (!h->ties_are_ordered)
		return (uint64_t)(time + LP_MAX_TIME - (time == LP_MAX_TIME)) << 1 | end;
	/* At equal times: ends, then calls without duration, then starts. */
	return (uint64_t)(time + LP_MAX_TIME / 4) << 2 | (is_instant ? 1u + end : end ? 0u : 3u);
}

/* The results of a call; NULL if they are unknown. */
static inline const int64_t *lp_call_results(const struct lp_history *h,
					     const struct lp_call *c)
{
	if (c->results == LP_RESULT_UNKNOWN)
		return NULL;
	return c->results > 1 ? h->values.at + c->result : &c->result;
}

enum lp_format {
	LP_FORMAT_AUTO, /* the suffix of the file's name decides, or else the text */
	LP_FORMAT_TABLE,
	LP_FORMAT_JSON,
	LP_FORMAT_EDN,
	LP_FORMAT_ETCD,
};

struct lp_kind;
struct lp_error;

/* From now on, a call that ends when another starts precedes it.  Returns false if times are beyond 2^60. */
bool lp_history_order_ties(struct lp_history *h, struct lp_error *error);

/* If the history is_completed, moves the values in `arg` that are no arguments of the method to the results of the
 * call. */
void lp_history_fit(struct lp_history *h, const struct lp_kind *kind);

struct lp_error;

/* Sets an error about a call, which begins with the place where it was read: "name:line: ...".  Returns false. */
bool lp_call_fail(const struct lp_history *h, const struct lp_call *c, struct lp_error *error,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Finds the format of that name: "auto", "table", "json" or "jsonl", "edn", "jepsen" or "kv", "etcd".  Returns false if there is
 * none. */
bool lp_format_named(const char *name, enum lp_format *format);

/* Reads a file; "-" is the standard input; a file whose name ends in .gz is decompressed.
 * Messages start with "name:line: ".  `h` must be empty.  If it has `txns` (also empty), calls are read as
 * transactions. */
bool lp_history_read(struct lp_history *h, const char *name, enum lp_format format,
		     struct lp_error *error);

/* Functions that are called while a file is read.  go_on() is called from time to time: while bytes are read, with
 * `lines` = 0, the number of bytes so far, and the size of the file (0: not known); while lines are parsed, with
 * their number so far.  If go_on() returns false, reading ends with an error. */
struct lp_read_watch {
	bool (*go_on)(void *closure, uint64_t lines, uint64_t bytes, uint64_t size);
	void *closure;

	/* For a pipe: are the calls that were read so far enough?  If so, reading ends, and they are the history.
	 * Called from time to time, when no input has arrived for a while or a lot has arrived, and only for
	 * formats that list events in their order: there, later input cannot be about earlier events.  NULL: always
	 * read to the end. */
	bool (*is_enough)(void *closure, struct lp_history *so_far);
};

bool lp_history_read_watched(struct lp_history *h, const char *name, enum lp_format format,
			     const struct lp_read_watch *watch, struct lp_error *error);

/* The same from memory.  `name` is used in messages, and its suffix may determine the format. */
bool lp_history_parse(struct lp_history *h, const char *name, enum lp_format format,
		      const char *text, size_t size, struct lp_error *error);

/* Prints the history in a format from which the same history can be read.  This fails in two cases: in tables, if a
 * text is empty or has spaces or commas; in JSON, if a text is a word that stands for another value, such as
 * "empty". */
void lp_history_print_table(const struct lp_history *h, FILE *to);
void lp_history_print_json(const struct lp_history *h, FILE *to);
void lp_history_print_json_value(const struct lp_history *h, int64_t value, FILE *to);

/* Write a call for reports to `text`, and return `text`: the whole call, `enqueue(1) -> empty`; the call without
 * its result, `enqueue(1)`; or the result alone, `empty`, which is "" if there is no result, and "?"  if it is
 * unknown. */
const char *lp_call_describe(const struct lp_history *h, uint32_t id, char *text, size_t size);
const char *lp_call_describe_call(const struct lp_history *h, uint32_t id, char *text, size_t size);
const char *lp_call_describe_result(const struct lp_history *h, uint32_t id, char *text,
				    size_t size);
const char *lp_call_describe_value(const struct lp_history *h, int64_t value, char *text, size_t size);

#endif
