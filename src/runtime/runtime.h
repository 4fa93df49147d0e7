/* runtime.h -- native programs: turns a source file into a program that explorers can explore.
 *
 *     struct lp_runtime_options options = LP_RUNTIME_DEFAULTS;
 *     struct lp_native native;
 *     if (!lp_native_open(&native, &options, &error)) ...
 *     lp_explore_graphs(native.program, ...);
 *     lp_native_close(&native);
 *
 * A process has one native program at a time.  The process may fork; then each process has its own
 * copy of the program.
 */
#ifndef LP_RUNTIME_RUNTIME_H
#define LP_RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/error.h"
#include "frontend/compile/compile.h"
#include "frontend/compile/shipped.h"
#include "program/program.h"

struct lp_ignored;
struct lp_load_place;

struct lp_runtime_options {
	const char *file;
	const char *compiler;       /* NULL: clang */
	const char *const *flags;   /* for the compiler, NULL-terminated; or NULL */
	const char *include;        /* folder of linchpin.h; NULL: it is searched for */
	const char *folder;         /* the folder in which the compiled program is kept; NULL: it is
	                             * not kept */
	const char *mutant, *mutants; /* frontend/compile/compile.h */
	struct {
		struct lp_shipping shipping; /* rank 0 compiles for all ranks */
		struct lp_load_place *place; /* the addresses at which the program is loaded
		                              * (frontend/load/load_place.h); or NULL */
	} machines;
	const struct lp_ignored *ignored; /* findings that are not reported (ignored.h); or NULL */
	bool uncached;              /* compile again, even if the program was compiled before */
	bool compiled;              /* `file` is already compiled */
	bool interleaved;           /* plain accesses are operations: --races ignore */
	bool client;                /* `file` is an object with a harness, not a program (client.h) */
	bool debug;                 /* keep local variables visible to debuggers */
	bool coverage;              /* record arguments and results of methods: coverage_flags.h */
	bool echo;                  /* keep what the program prints: lp_native_output() */
	bool invalid_orders;        /* invalid memory orders are not errors */
	bool leaks;                 /* memory that is leaked at the end is an error */
	bool reuse;                 /* allocations may return freed blocks */
	bool spurious;              /* condition variables may wake up spuriously */
	struct {
		int64_t low, high;
		bool given;         /* random numbers and clocks choose from the range, too */
	} nondet;                   /* the range of __VERIFIER_nondet_*() */
	size_t stack_size;          /* bytes per thread */
	uint64_t heap_limit;        /* the most bytes of the heap */
	uint64_t plain_steps;       /* the most plain accesses of a thread between two operations */
	double seconds;             /* the time that a thread may compute without any access */
};

#define LP_RUNTIME_DEFAULTS                                                       \
	{                                                                         \
		.nondet = { .low = 0, .high = 1 }, .stack_size = 256 << 10,       \
		.heap_limit = 64 << 20, .plain_steps = 10000000, .seconds = 2     \
	}

enum { LP_NATIVE_ADDRESSES = 4 };

struct lp_native {
	struct lp_program *program;
	struct lp_findings findings; /* code that cannot be modelled: reasons for doubt */
};

/* Compiles, loads and prepares the program.  Returns false if that fails; then the error says why, and
 * there is nothing to close. */
bool lp_native_open(struct lp_native *, const struct lp_runtime_options *, struct lp_error *);
void lp_native_close(struct lp_native *);

/* What the current execution has printed so far (with `echo`); not terminated. */
const char *lp_native_output(struct lp_native *, size_t *size);

/* In some execution so far, has the program distinguished its threads in a way that its symbols do
 * not show? (findings.identity has the ways that the symbols show.) */
bool lp_native_tells_apart(struct lp_native *);

/* Facts on which a verdict depends, because the program was seen to use them.  The examples are texts of a
 * struct lp_doubt_met. */
enum lp_doubt {
	LP_DOUBT_UNSEEN, /* "sb.c:10: inline assembly ('mfence') is not modelled" */
	LP_DOUBT_FIXED,  /* "rand() at a.c:3": the program was given one value of many */
	LP_DOUBT_RANGE,  /* "rand() at a.c:3": the program was given every value of the range
	                  * `nondet` */
	LP_DOUBT_GIVEN,  /* "2 processors": what the program was told about its machine */
	LP_DOUBT_PASSED, /* "uninitialised at ring.c:42": an ignored finding at which threads go on (ignored.h) */
	LP_DOUBT_CUT,    /* a text of the same form: an ignored finding at which threads stop */
};

struct lp_doubt_met {
	enum lp_doubt doubt;
	const char *text;
	enum lp_error_kind kind; /* PASSED, CUT: the kind of the finding */
	const char *place;       /* "ring.c:42", or NULL if the finding has no place */
};

/* Calls `visit` for each doubt that any process has met since lp_native_forget() was called, or
 * since the beginning.  Doubts from the program's set-up are always included. */
void lp_native_doubts(struct lp_native *, void (*visit)(void *closure, const struct lp_doubt_met *),
		      void *closure);
void lp_native_forget(struct lp_native *);

/* lp_native_write() writes as bytes what all executions so far have recorded, in any process: names of threads and places, doubts, and what
 * was reached.  lp_native_merge() adds what the bytes describe; it must be called directly after lp_native_open() of the same program.  It returns
 * false if the bytes are of another program; then the program must not be explored. */
struct lp_bytes;
void lp_native_write(struct lp_native *, struct lp_bytes *);
bool lp_native_merge(struct lp_native *, const uint8_t *, size_t size);

/* Two functions to compare the programs of two processes.  lp_native_digest() returns a digest of the
 * program, and lp_native_addresses() sets the addresses at which the program and linchpin are loaded.  If
 * both results are equal in the two processes, all addresses in the programs are equal, too. */
struct lp_digest lp_native_digest(struct lp_native *);
void lp_native_addresses(struct lp_native *, uintptr_t at[LP_NATIVE_ADDRESSES]);

/* The function that contains the pc, or "". */
void lp_native_function(struct lp_native *, uintptr_t pc, char *out, size_t size);
/* If the pc is in a wrapper from another file, the line that called it: "queue.h:88"; otherwise "". */
void lp_native_caller(struct lp_native *, uintptr_t pc, char *out, size_t size);

/* Calls `visit` with the path of each source file of the program whose path is known. */
void lp_native_files(struct lp_native *, void (*visit)(void *closure, const char *path),
		     void *closure);

#endif
