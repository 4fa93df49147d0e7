/* serving.h -- linchpin-fe as a process that is kept: it serves one request after the other.
 *
 * Requests have nothing in common but the process: LLVM's context and clang's instance are new each time, and linchpin-fe has no variables of its own.  Flags that
 * change LLVM as a whole are not for linchpin-fe in any case (ir/clang.h).  tests/serve compares objects with those of new processes.
 *
 * If a client ends, what is done for it ends, too, by SIGIO; and if the process crashes, the client takes a new one (served.h).
 */
#ifndef LP_FRONTEND_SERVE_SERVING_H
#define LP_FRONTEND_SERVE_SERVING_H

#include "frontend/serve/request.h"

/* main(): it returns the exit status.  If it ends the process instead, the client takes a new one. */
typedef int lp_serving_work(int count, char **words);

/* Serves that request, and those that follow, until there are no more or the process has grown large. */
void lp_serving(int socket, struct lp_request first, lp_serving_work *);

#endif
