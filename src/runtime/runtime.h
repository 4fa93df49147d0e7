/* runtime.h -- native programs: from a source file to something to be explored.
 *
 *     struct lp_runtime_options options = LP_RUNTIME_DEFAULTS;
 *     struct lp_native native;
 *     if (!lp_native_open(&native, &options, &error)) ...
 *     lp_explore_graphs(native.program, ...);
 *     lp_native_close(&native);
 *
 * There is one native program at a time in a process.  It may be forked: each
 * process then has its own.
 */
#ifndef LP_RUNTIME_RUNTIME_H
#define LP_RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "frontend/compile/compile.h"
#include "program/program.h"

struct lp_runtime_options {
	const char *file;
	const char *compiler;       /* NULL: gcc */
	const char *const *flags;   /* for the compiler, NULL-terminated; or NULL */
	const char *include;        /* folder of linchpin.h; NULL: looked for */
	const char *folder;         /* where the compiled program stays; NULL: nowhere */
	const char *mutant, *mutants; /* frontend/compile/compile.h */
	bool uncached;              /* compile even what was compiled before */
	bool compiled;              /* it is there already, and nothing is compiled */
	bool entries;               /* hooks at function entries (found out if needed) */
	bool interleaved;           /* plain accesses are operations: --races ignore */
	bool client;                /* an object with a harness, not a program: client.h */
	bool debug;                 /* local variables are for debuggers to find */
	bool coverage;              /* note what methods are called with, and return: coverage_flags.h */
	bool echo;                  /* keep what the program prints: lp_native_output() */
	bool invalid_orders;        /* memory orders that an operation cannot have are no errors */
	bool leaks;                 /* memory that is lost at the end is an error */
	bool reuse;                 /* allocations may return freed blocks */
	bool spurious;              /* condition variables may wake up for nothing */
	struct {
		int64_t low, high;
		bool given;         /* random numbers and clocks choose, too */
	} nondet;                   /* what __VERIFIER_nondet_*() choose from */
	size_t stack_size;          /* bytes a thread */
	uint64_t heap_limit;        /* bytes in all */
	uint64_t plain_steps;       /* plain accesses of a thread between two operations */
	double seconds;             /* a thread may compute without any access */
};

#define LP_RUNTIME_DEFAULTS                                                       \
	{                                                                         \
		.nondet = { .low = 0, .high = 1 }, .stack_size = 256 << 10,       \
		.heap_limit = 64 << 20, .plain_steps = 10000000, .seconds = 2     \
	}

struct lp_native {
	struct lp_program *program;
	struct lp_findings findings; /* what cannot be seen into: reasons for doubt */
};

/* Compiles, loads and prepares the program.  False: the error says why not, and
 * there is nothing to close. */
bool lp_native_open(struct lp_native *, const struct lp_runtime_options *, struct lp_error *);
void lp_native_close(struct lp_native *);

/* What the current execution has printed so far (with `echo`); not terminated. */
const char *lp_native_output(struct lp_native *, size_t *size);

/* Has the program, in some execution so far, told its threads apart by something that its
 * symbols do not show (findings.identity is about those)? */
bool lp_native_tells_apart(struct lp_native *);

/* What an answer rests on, as far as the program was seen to do it. */
enum lp_doubt {
	LP_DOUBT_UNSEEN, /* "sb.c:10: inline assembly ('mfence') is not modelled" */
	LP_DOUBT_FIXED,  /* "rand() at a.c:3": it got one value of many */
	LP_DOUBT_RANGE,  /* the same: it got every value of the range `nondet` */
	LP_DOUBT_GIVEN,  /* "2 processors": what it was told of its machine */
};

/* Tells of all that was executed since lp_native_forget(), or the beginning; the set-up of the
 * program counts in any case.  With several processes, in any of them. */
void lp_native_doubts(struct lp_native *, void (*visit)(void *closure, enum lp_doubt, const char *text),
		      void *closure);
void lp_native_forget(struct lp_native *);

/* The function that contains the pc, or "". */
void lp_native_function(struct lp_native *, uintptr_t pc, char *out, size_t size);
/* "queue.h:88": the line that called a wrapper, which is in another file; "" if it is none. */
void lp_native_caller(struct lp_native *, uintptr_t pc, char *out, size_t size);

/* The paths of the program's source files, as far as they are known. */
void lp_native_files(struct lp_native *, void (*visit)(void *closure, const char *path),
		     void *closure);

#endif
