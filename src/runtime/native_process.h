/* native_process.h -- an object's threads as processes that call it forever (program/process.h).
 *
 * The object is opened as for a client (client.h).  Its set-up and the calls of the client's
 * thread 0 run once.  Afterwards the contents of memory are the initial shared memory.
 */
#ifndef LP_RUNTIME_NATIVE_PROCESS_H
#define LP_RUNTIME_NATIVE_PROCESS_H

#include "program/process.h"
#include "runtime/client.h"

struct lp_error;

/* A call that processes may make. */
struct lp_menu_call {
	void *(*body)(void *);
	int64_t arg[LP_CLIENT_ARGS];
};

/* Runs the set-up, and makes the processes.  Returns false if the set-up fails; the error says why.
 * `calls` must outlive the processes. */
bool lp_native_processes(struct lp_native *, const struct lp_client *before,
			 const struct lp_menu_call *calls, uint32_t count,
			 struct lp_processes **, struct lp_error *);
void lp_native_processes_close(struct lp_processes *); /* NULL is fine */

/* The number of local states, and the bytes that they use. */
uint32_t lp_native_locals(const struct lp_processes *, size_t *bytes);

/* The following are used inside the runtime only (client.c). */
void rt_client_menu(const struct lp_menu_call *calls, uint32_t count);
void rt_processes_begin(void *(*sequence)(void *));

#endif
