/* shipped.h -- compiles on one machine, and sends the result to the other machines of a job.
 *
 * So the other machines need neither the sources nor a compiler.  All ranks that load the program call these functions, in the same
 * order as rank 0, which compiles.  If this process is alone, the functions do what lp_compile() and lp_compile_plain() do.
 */
#ifndef LP_FRONTEND_COMPILE_SHIPPED_H
#define LP_FRONTEND_COMPILE_SHIPPED_H

#include "frontend/compile/compile.h"
#include "ranks/ranks.h"

struct lp_shipping {
	struct lp_ranks *ranks; /* NULL: this process is alone */
	bool to_all;            /* every rank loads the program; otherwise only the leader of each group does (ranks/ranks.h) */
};

/* If rank 0 cannot compile, only rank 0 returns, and all other ranks end. */
bool lp_shipped_compile(struct lp_shipping, const struct lp_compile_request *, char own[static 64], char shared[static LP_SHARED_PATH],
			struct lp_findings *, struct lp_error *);
bool lp_shipped_plain(struct lp_shipping, const struct lp_compile_request *, char own[static 64], char shared[static LP_SHARED_PATH],
		      struct lp_error *);

#endif
