/* serving.h -- linchpin-fe as a kept process (keepers.h), which serves one request after the other.
 *
 * Requests do not affect each other: each gets a new context of LLVM and a new instance of clang, and linchpin-fe has no static variables
 * of its own.  Flags that change LLVM as a whole are never passed to linchpin-fe (ir/clang.h).  tests/serve compares the object files that
 * a kept process writes with those that new processes write.
 *
 * The process that has sent a request is called its client.  If the client ends before the request is served, SIGIO ends the kept process
 * that works for it.  If a kept process crashes, its client runs linchpin-fe in a new process instead (served.h).
 */
#ifndef LP_FRONTEND_SERVE_SERVING_H
#define LP_FRONTEND_SERVE_SERVING_H

#include "frontend/serve/request.h"

/* The main function of linchpin-fe, which returns the exit status.  If it ends the process instead of returning, the client runs
 * the command in a new process. */
typedef int lp_serving_work(int count, char **words);

/* Serves the first request and all later ones, until there are no more or the process has grown large. */
void lp_serving(int socket, struct lp_request first, lp_serving_work *);

#endif
