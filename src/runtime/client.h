/* client.h -- clients of an object: the calls that their threads make.
 *
 * An object is opened as a native program whose main() makes the calls of a client
 * (include/linchpin/main.c).  lp_native_client() sets the client, and may be called again before
 * every exploration.  Thread 0 sets the object up and makes the calls of thread 0 of the client; then the
 * other threads start.  A thread with several calls presents the operation LP_OP_CALL at the beginning of
 * each call, so that explorers can tell the calls apart.
 */
#ifndef LP_RUNTIME_CLIENT_H
#define LP_RUNTIME_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

struct lp_native;
struct lp_harness_entry;

enum { LP_CLIENT_CALLS = 32, LP_CLIENT_ARGS = 3 };

/* The condition under which a call is made. */
enum lp_client_when {
	LP_CALL_ALWAYS,
	LP_CALL_AFTER,      /* only if call number `needs` has returned */
	LP_CALL_AFTER_TRUE, /* only if call number `needs` has returned something other than 0 */
};

struct lp_client_call {
	void *(*body)(void *);
	int64_t arg[LP_CLIENT_ARGS];
	uint32_t thread;
	uint8_t when;
	uint32_t needs;
};

struct lp_client {
	struct lp_client_call call[LP_CLIENT_CALLS]; /* by thread, then in order */
	uint32_t calls;
	uint32_t threads;                   /* thread 0 included */
	uint32_t like[LP_CLIENT_CALLS + 1]; /* by thread: 1 + a thread to which it is like; 0: none */
};

enum lp_call_state { LP_CALL_NOT_MADE, LP_CALL_STARTED, LP_CALL_RETURNED };

void lp_native_client(struct lp_native *, const struct lp_client *);

/* A hash of the client; used inside the runtime only. */
uint64_t rt_client_digest(void);

/* Returns the state of the call in the current execution, and sets its result. */
enum lp_call_state lp_native_call(struct lp_native *, uint32_t call, int64_t *result);

/* The names of results that consist of several values. */
struct lp_tuples;
const struct lp_tuples *lp_native_tuples(struct lp_native *);

/* The id in the program of a thread of the client; 0 if the thread has not started. */
uint32_t lp_native_thread(struct lp_native *, uint32_t thread);

/* The `*count` entries of the harness; NULL if the program has no harness. */
const struct lp_harness_entry *const *lp_native_harness(struct lp_native *, uint32_t *count);

/* Does the loaded program define a symbol whose name begins with `prefix`? */
bool lp_native_defines(const char *prefix);

/* Does the program have linearization points (LP_POINT)? */
bool lp_native_has_points(struct lp_native *);

#endif
