/* trace.h -- an execution in a file, for replay.
 *
 * The file is plain text; each line is a keyword followed by its values:
 *
 *     linchpin-trace 1
 *     command check
 *     word queue.c                      the words of the command line
 *     folder /home/me/queue             where it was given
 *     source 9f86d081884c7d65... queue.c   and so for each other file that it was made of
 *     kind not linearizable
 *     text no order of the calls explains their results
 *     call 1 enqueue 0 0 1              of a client: thread, method, when, needs, arguments
 *     like 2 1                          thread 2 was declared to be like thread 1
 *     thread 2                          of states: the thread that goes wrong, ...
 *     loop 7                            ... and the step with which what repeats forever begins, from 1
 *     step 1 load 3 - 1 0 0 queue.c:31  thread, operation, reads from, follows in co,
 *     end                               value (two words), flags, where
 *
 * Reading gives back what was written; everything lives in the arena.
 */
#ifndef LP_REPORT_TRACE_H
#define LP_REPORT_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct lp_arena;
struct lp_error;

#define LP_TRACE_NONE UINT32_MAX
#define LP_TRACE_INITIAL (UINT32_MAX - 1)

struct lp_trace_call {
	uint32_t thread, when, needs;
	const char *method;
	int64_t arg[3];
};

struct lp_trace_step {
	uint32_t thread;
	const char *operation;
	uint32_t reads_from, co_after; /* steps, or one of the two above */
	uint64_t value[2];
	bool failed, blocked;
	bool plain; /* a plain access that was an operation */
	const char *where;
};

struct lp_trace_source {
	const char *file, *hash;
};

struct lp_trace {
	const char *command, *folder, *kind, *text;
	struct lp_trace_source *sources; /* the file that was given, then the others */
	uint32_t source_count;
	const char **words;
	uint32_t word_count;
	struct lp_trace_call *calls;
	uint32_t call_count;
	uint32_t (*likes)[2];
	uint32_t like_count;
	uint32_t thread, loop; /* 0: none */
	struct lp_trace_step *steps;
	uint32_t step_count;
};

void lp_trace_write(FILE *, const struct lp_trace *);

/* Messages start with "name:line: ". */
bool lp_trace_read(struct lp_trace *, const char *name, struct lp_arena *, struct lp_error *);

/* What tells versions of a file apart: 32 hexadecimal digits.  False if it cannot be read. */
bool lp_trace_hash(const char *file, char hash[static 33]);

#endif
