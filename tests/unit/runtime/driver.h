/* driver.h -- the least explorer there can be: one interleaving, round robin.
 *
 * Sequentially consistent: a location holds what was last written to it.  Enough
 * to see whether the runtime does what program.h promises.
 */
#ifndef LP_TESTS_DRIVER_H
#define LP_TESTS_DRIVER_H

#include "runtime/runtime.h"

struct cell {
	uintptr_t loc;
	struct lp_value value;
	uint8_t size;
};

struct driver {
	struct lp_observer observer; /* first */
	struct lp_native native;
	struct lp_program *program;
	struct cell cells[4096];
	unsigned cell_count;
	unsigned long steps, plain, choices;
	bool plain_events;           /* every plain access is an event */
	bool race_at_writes;         /* every plain write is said to race */
	uint32_t choice;             /* what CHOOSE answers, below the count */
	const char *kind;            /* of the error that ended the run, or NULL */
	char text[240], where[160];
};

/* Compiles and loads `source`, written to a file of that suffix. */
bool driver_open(struct driver *, const char *source, const char *suffix, const char *compiler,
		 const char *const *flags, struct lp_error *);
/* Loads FOLDER/program.so. */
bool driver_open_compiled(struct driver *, const char *folder, struct lp_error *);
void driver_close(struct driver *);

void driver_reset(struct driver *);
bool driver_runnable(struct driver *, lp_tid);
void driver_step(struct driver *, lp_tid);

/* Runs at most `steps` operations (0: all), one thread after the other.  True if
 * every thread has ended; otherwise `kind` is the error, or "deadlock". */
bool driver_run(struct driver *, unsigned long steps);

#endif
