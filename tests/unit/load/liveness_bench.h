/* liveness_bench.h -- a test bench for liveness: hooks that see what they interrupt.
 *
 * The test executable exports its own __tsan_* functions.  Each catches the user's
 * registers, acts on memory as other threads might (from a seed), adds what it saw to a
 * trace, and returns.  With `garble` it first overwrites everything that the
 * analysis calls dead, in every frame: a program whose trace then differs has been
 * robbed of something live.
 */
#ifndef TESTS_UNIT_LOAD_LIVENESS_BENCH_H
#define TESTS_UNIT_LOAD_LIVENESS_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "load/liveness.h"

/* What happened at one hook. */
struct bench_moment {
	uintptr_t rip;
	unsigned op;     /* enum bench_op */
	bool known, on_loop;
	struct lp_fingerprint live;
};

enum bench_op {
	BENCH_PLAIN_READ, BENCH_PLAIN_WRITE, BENCH_LOAD, BENCH_STORE, BENCH_EXCHANGE, BENCH_ADD,
	BENCH_CAS, BENCH_CAS_VAL, BENCH_OR, BENCH_AND, BENCH_XOR, BENCH_SUB, BENCH_OTHER,
};

enum { BENCH_MOMENTS = 4096 };

struct bench {
	struct lp_liveness *liveness;
	/* What the environment does. */
	uint64_t seed;          /* of the values that others write; 0: nobody writes */
	unsigned failing;       /* so many CAS fail, and the location changes each time */
	unsigned zero_loads;    /* so many loads give 0, whatever is there */
	bool garble;
	bool no_addresses;      /* in the trace: the program allocates memory */
	unsigned fuel;          /* hooks until the run is given up */
	/* What came out. */
	struct lp_fingerprint trace;
	struct bench_moment moments[BENCH_MOMENTS];
	unsigned count;
	uint64_t frames_known, frames_unknown, bytes_dead, bytes_live;
	const char *failure;    /* NULL: none */
};

extern struct bench bench;

/* Calls function(a, b) with the bench's settings; the result goes to the trace.  False
 * if it crashed or ran out of fuel. */
bool bench_run(uint64_t (*function)(uint64_t, uint64_t), uint64_t a, uint64_t b);

/* Compiles the text with `compiler flags`; loads it and analyses it. */
struct bench_object {
	void *handle;
	struct lp_liveness *liveness;
	char path[128];
};

bool bench_compile(const char *folder, const char *compiler, const char *flags, const char *suffix,
		   const char *text, struct bench_object *out);
void bench_drop(struct bench_object *);

/* A random program with an entry uint64_t entry(uint64_t, uint64_t). */
char *bench_random_program(uint64_t seed);

#endif
