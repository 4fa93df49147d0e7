/* result.h -- the result of a command, as plain data.
 *
 * The commands fill in a result, and the writers of this folder show it: on a
 * terminal, as JSON, HTML, JUnit or SARIF, or as an annotation.  Nothing here depends on how the result was found.
 *
 * Ownership: a result points into memory of the command that filled it in, and the writers keep no pointers into it.
 * Pointers may be NULL only where a comment says so; counts may be 0.
 */
#ifndef LP_REPORT_RESULT_H
#define LP_REPORT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errors.h"
#include "base/value.h"

/* "verified" holds within the scope only; "inconclusive" is never success. */
enum lp_result_verdict {
	LP_RESULT_VERIFIED,
	LP_RESULT_VIOLATION,
	LP_RESULT_INCONCLUSIVE,
	LP_RESULT_ERROR, /* bad usage, bad input, does not compile */
};

/* Values of `reads_from` and `overwrites` that are not the index of a step: unknown or not shown, and the initial
 * value. */
#define LP_RESULT_NO_STEP UINT32_MAX
#define LP_RESULT_INITIAL (UINT32_MAX - 1)

/* One step of an execution: "T1 queue.c:31 enqueue: store head = 1 (release)". */
struct lp_result_step {
	uint32_t thread;
	uint32_t event;         /* the number of the event in its thread */
	bool plain;             /* the step is not an event: it is a plain access of the thread before its event
				 * `event` */
	bool pending;           /* the step has not happened: its thread waits at it, or is about to take it */
	uint32_t call;          /* the call of the client that the step belongs to, from 1; 0: none */
	const char *action;     /* "store", "compare-exchange", "start T2", ... */
	const char *location;   /* "head", "node#2.next (allocated at queue.c:12)", or NULL */
	uint32_t place;         /* steps on the same memory have the same number here; 0: the step accesses no memory */
	const char *order;      /* "release", ... or NULL */
	const char *note;       /* "failed", "waits forever", ... or NULL */
	bool has_read, has_wrote;
	struct lp_value read, wrote;
	const char *read_name, *wrote_name; /* what the value points to, "&node#3"; NULL: it is a number */
	unsigned size;          /* the size of the values in bytes */
	uint32_t reads_from;    /* index of a step, or one of the two constants above */
	uint32_t overwrites;    /* for a write: the write before it in coherence, encoded like `reads_from` */
	/* The steps of other threads from which edges of happens-before lead to this one: of each thread at most one,
	 * the last step that happens before this one. It is left out if the previous step of this thread, or another of
	 * these edges, already implies it.  No edge begins at the end of a thread.  Happens-before is the transitive
	 * closure of these edges and of program order. */
	const uint32_t *after;
	uint32_t after_count;
	const char *where;      /* "queue.c:31", or NULL */
	const char *function;   /* or NULL */
	const char *caller;     /* if `where` is in a wrapper, the place where the wrapper was called:
				 * "queue.h:88"; or NULL */
};

/* A call of a client.  In the picture it is open from moment `start` to moment `end`. */
struct lp_result_call {
	const char *text;   /* "enqueue(1)" */
	const char *result; /* "2", "empty"; NULL if there is none */
	uint32_t thread;    /* the thread that makes the call in the execution, as in the steps */
	bool stuck;         /* the call never returns */
	bool open;          /* the call had not returned when the execution stopped */
	uint32_t lane;      /* the thread that makes the call in the client that is shown */
	uint32_t start, end;
};

struct lp_cover;

/* The client of an object, and why no order of its calls is correct. */
struct lp_result_client {
	const struct lp_result_call *calls; /* sorted by lane, and in each lane by their order */
	uint32_t count;
	uint32_t pre;               /* the number of calls before the threads, in lane 0 */
	uint32_t lanes, moments;
	/* Pairs of indices of calls.  In the client, the first call of a pair precedes the second, and the lanes do not
	 * show it. */
	const uint32_t (*waits)[2];
	uint32_t wait_count;
	const uint32_t *closest;    /* the longest attempt at a linearization: indices of calls, in order */
	uint32_t closest_count;
	const char *const *states;  /* the states of the specification before the attempt and after each of
				     * its calls; or NULL */
	const char *const *instead; /* for each call, what it would return after the attempt; NULL: not known, or what
				     * it did return. The array itself may be NULL, too */
	const char *why;            /* what goes wrong, in a sentence or two */
	/* If only synchronisation is missing, a clause that says which: "enqueue(1) does not happen before what follows
	 * dequeue()"; else NULL.  `missing_from` and `missing_to` are the indices of the two calls. */
	const char *missing;
	uint32_t missing_from, missing_to;
	bool prompt;                /* according to the specification, no call of the client ever waits; false: a call
				     * may wait, or it is not known whether one may */
	bool handed_over;           /* a client can observe that the order is missing: call `missing_to` returns the
				     * value that `missing_from` inserted, or takes the lock that it released */
};

struct lp_result_violation {
	uint32_t thread;
	const char *where;       /* file:line, or NULL */
	const char *function;    /* or NULL */
	const char *other_where; /* the place of the other access of a race, or NULL */
	const char *output;      /* what the program printed, or NULL */
	const char *location;    /* the memory concerned, or NULL */
	const char *why;         /* for a race: why the two accesses are not ordered, and what would order
				  * them; or NULL */
	uint32_t race[2];        /* for a race: 1 + the index of each of the two accesses, the earlier access first; 0:
				  * the access is not among the steps */
	const struct lp_result_client *client; /* the client, if an object was checked; NULL for a program */
	/* The steps, in an order that agrees with po and rf: a read comes after the step that it reads from.  A read
	 * may also come after a write to the same location that it does not see. */
	const struct lp_result_step *steps;
	uint32_t step_count;
	uint32_t loop; /* 1 + the index of the first step of the cycle that repeats forever; 0: there is no cycle */
};

/* A memory order of the source that has to become stronger.  Example: `name` "queue.c:44#2/failure", `operation`
 * "load", `variable` "q->head". */
struct lp_result_change {
	const char *name, *operation, *variable;
	const char *from, *to;
};

/* A part of a source line, and its replacement. */
struct lp_result_edit {
	const char *where;           /* "queue.c:44" */
	uint32_t column, end;        /* the first byte of the part, counted from 1, and the byte after its last one */
	const char *with;
};

/* Changes of memory orders with which the object verifies. */
struct lp_result_fix {
	const char *text;   /* "queue.c:44: exchange q->head acquire -> acq_rel" */
	const char *option; /* "queue.c:44=acq_rel", as --order takes it */
	const struct lp_result_change *changes;
	uint32_t change_count;
	const struct lp_result_edit *edits; /* the changes as edits of the source; there are none if linchpin cannot
					     * express the changes as edits */
	uint32_t edit_count;
};

/* A source file: its name in `where`, and its absolute path. */
struct lp_result_file {
	const char *name, *path;
};

/* A line of the scope: what "verified" means, or how far an inconclusive run got. */
struct lp_result_scope {
	const char *name, *value;
};

struct lp_result_outcome {
	const char *text;
	uint64_t executions;
};

/* A finding that was ignored because of an option. */
struct lp_result_ignored {
	enum lp_error_kind error;
	const char *where;     /* "ring.c:42", or NULL */
	bool passed;           /* the program continued after the finding; otherwise the thread stopped
			        * there */
};

/* The subject of the command. */
struct lp_result_subject {
	const char *name;      /* the file, or NULL */
	bool is_stream;        /* the subject is standard input, not a file */
	/* The source files of the program, for writers that need their paths; there may be none.  Two of them
	 * may have the same name. */
	const struct lp_result_file *files;
	uint32_t file_count;
};

/* The property that was checked, and the meaning of "verified". */
struct lp_result_question {
	const char *model;     /* NULL if no model was involved */
	bool one_memory;       /* in this model, memory has one value at a time, which all threads read (sc) */
	const char *prop;      /* the property that was checked, or NULL */
	const char *claim;     /* what "verified" says, as a clause; NULL: it says that the subject has the property
			        * `prop` */
	bool bounded;          /* "verified" covers only a part of the executions: see `scope` */
	const struct lp_result_scope *scope;
	uint32_t scope_count;
	const struct lp_result_ignored *ignored;
	uint32_t ignored_count;
};

/* How much was explored. */
struct lp_result_counts {
	uint64_t executions, blocked;
	uint64_t abandoned;    /* executions abandoned before their end, because they could not become complete */
	uint64_t distinct;     /* the number of different executions that were sampled; 0: executions were not
			        * sampled */
	double estimate;       /* the estimated number of executions in all; 0: not known */
	uint64_t left;         /* the number of complete executions at whose end a thread still waits or spins */
	uintptr_t left_pc;     /* the address of the code where such a thread waits or spins; or 0 */
	uint64_t states;       /* the number of states visited, if states are explored instead of executions;
			        * else 0 */
	const uint64_t *levels; /* the number of states at each depth; or NULL.  The depth of a state is its number of
				 * transitions from the initial state */
	uint32_t level_count;
	const struct lp_result_outcome *outcomes;
	uint32_t outcome_count;
};

/* For a violation: sets of stronger memory orders with which the object verifies for the same clients, fewest
 * changes first. */
struct lp_result_fixes {
	const struct lp_result_fix *at;
	uint32_t count;
	bool all;              /* `at` has all such sets of up to two changes */
	const char *none;      /* if no such set was found: why; or NULL */
};

struct lp_result {
	enum lp_result_verdict verdict;
	struct lp_result_subject subject;
	struct lp_result_question question;

	/* The answer in words. */
	const char *kind;      /* the kind of a violation: "assertion", "race", ...; else NULL */
	enum lp_error_kind error; /* the kind as a row of errors.def, if there is one; else LP_ERROR_NONE */
	bool unexpected;       /* the violation is not an error of the subject: its verdict differs from the one that a
			        * table expects */
	const char *text;      /* one line in plain words, or NULL */
	const char *reason;    /* inconclusive: why; else NULL */
	const char *hint;      /* what the user can do next, or NULL */
	const char *aside;     /* a less important hint, which is shown if there is room; or NULL */
	const char *const *warnings;
	uint32_t warning_count;

	/* Set for a violation.  Also set for an inconclusive run that has an execution to show, for example
	 * one that does something unsupported. */
	const struct lp_result_violation *violation;
	bool suspected;        /* for an inconclusive result: an error of kind `error` was found, but it may not be
			        * real */
	struct lp_result_fixes fixes;

	struct lp_result_counts counts;
	const struct lp_cover *cover; /* what was reached (coverage_report.h), if --coverage is given; or
				       * NULL */
	double seconds;
	uint64_t peak_rss_kb;  /* 0: reports show neither memory nor time */
};

const char *lp_result_verdict_name(enum lp_result_verdict);

/* Writes a value of `size` bytes as text: small numbers, also negative ones, in decimal, and other numbers in
 * hexadecimal.  `out` has room for LP_RESULT_VALUE_ROOM bytes. */
enum { LP_RESULT_VALUE_ROOM = 36 };
void lp_result_value(char *out, struct lp_value, unsigned size);

/* Return what a step has read or written: a name, or else the value as text, which is written to `room`. */
const char *lp_result_read(const struct lp_result_step *, char room[static LP_RESULT_VALUE_ROOM]);
const char *lp_result_wrote(const struct lp_result_step *, char room[static LP_RESULT_VALUE_ROOM]);

#endif
