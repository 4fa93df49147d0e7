/* trace.h -- an execution in a file, for replay.
 *
 * The file is plain text; each line is a keyword followed by its values:
 *
 *     linchpin-trace 1
 *     command check
 *     word queue.c                      one for each word of the command line
 *     folder /home/me/queue             the folder in which the command was given
 *     source 9f86d081884c7d65... queue.c   one for each source file, with its hash
 *     kind not linearizable
 *     text no order of the calls explains their results
 *     call 1 enqueue 0 0 1              a call of the client: thread, method, when, needs, arguments
 *     like 2 1                          thread 2 was declared to be like thread 1
 *     thread 2                          for states: the thread that goes wrong, ...
 *     loop 7                            ... and the first step, from 1, of the cycle that repeats forever
 *     step 1 load 3 - 1 0 0 queue.c:31  thread, operation, reads from, follows in co,
 *                                       value (two words), flags, where
 *     end
 *
 * Reading a file gives a trace equal to the one that was written.  The trace that is read is allocated in
 * the arena.
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
	uint32_t thread, when, needs; /* as in struct lp_client_call (runtime/client.h) */
	const char *method;
	int64_t arg[3];
};

struct lp_trace_step {
	uint32_t thread;
	const char *operation;
	uint32_t reads_from, co_after; /* indices of steps, or one of the two constants above */
	uint64_t value[2];
	bool failed, blocked;
	bool plain; /* a plain access that the explorer treated as an operation */
	const char *where;
};

struct lp_trace_source {
	const char *file, *hash;
};

struct lp_trace {
	const char *command, *folder, *kind, *text;
	struct lp_trace_source *sources; /* first the file given on the command line, then the others */
	uint32_t source_count;
	const char **words;
	uint32_t word_count;
	struct lp_trace_call *calls;
	uint32_t call_count;
	uint32_t (*likes)[2];
	uint32_t like_count;
	uint32_t thread, loop; /* the values of the lines `thread` and `loop`; 0: there is no such line */
	struct lp_trace_step *steps;
	uint32_t step_count;
};

void lp_trace_write(FILE *, const struct lp_trace *);

/* Error messages start with "name:line: "; `name` is the file to read. */
bool lp_trace_read(struct lp_trace *, const char *name, struct lp_arena *, struct lp_error *);

/* Computes a hash of a file, 32 hexadecimal digits, which differs between versions of the file.
 * Returns false if the file cannot be read. */
bool lp_trace_hash(const char *file, char hash[static 33]);

#endif
