/* fake_rt.h -- rt.h on one thread at a time, for testing the shims alone.
 *
 * Operations take effect on memory at once; a spawned thread runs to its end
 * inside rt_spawn().  What cannot go on (an error, a wait that would not end, a
 * blocked or finished thread) jumps back to the enclosing FAKE_STOPS().
 * Everything that a shim tells is recorded for the test to look at.
 */
#ifndef LP_TESTS_FAKE_RT_H
#define LP_TESTS_FAKE_RT_H

#include <setjmp.h>

#include "runtime/rt.h"

struct fake_access {
	uintptr_t loc;
	size_t size;
	bool write;
};

struct fake_rt {
	lp_tid self;
	lp_tid threads;               /* that have begun */
	void *results[128];

	struct fake_access accesses[4096];
	unsigned access_count;
	struct lp_op ops[4096];
	unsigned op_count;
	char output[4096];
	size_t output_size;

	uint32_t choices[16];         /* what rt_choose() answers; 0 when they run out */
	unsigned choice_count, choice_next;
	void (*at_choice)(void);      /* called by rt_choose(): what others do meanwhile */
	int64_t lo, hi;               /* of nondeterministic numbers */
	bool given;                   /* for random numbers, too */
	bool ignores;                 /* what shims return */
	unsigned uses[3];             /* by enum rt_use */
	bool spurious;

	jmp_buf *stop;                /* innermost FAKE_STOPS() */
	const char *stopped;          /* kind of error, "wait", "drop", "block", ... */
	char text[240];
	int status;                   /* of rt_finish() */
};

extern struct fake_rt fake;

/* Forgets everything that was recorded, and what is left of the choices. */
void fake_forget(void);
void fake_choose(unsigned count, const uint32_t *choices);

/* Runs `statement`; the kind of its stop, or NULL if it came to its end. */
#define FAKE_STOPS(statement)                                  \
	({                                                     \
		jmp_buf here, *volatile outer_ = fake.stop;    \
		const volatile lp_tid self_ = fake.self;       \
		fake.stop = &here;                             \
		fake.stopped = NULL;                           \
		if (!setjmp(here)) {                           \
			statement;                             \
		}                                              \
		fake.stop = outer_;                            \
		fake.self = self_;                             \
		fake.stopped;                                  \
	})

#endif
