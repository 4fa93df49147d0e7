/* linchpin/main.c -- the client that `linchpin check` runs: main() of an object's harness.
 *
 * linchpin contains this file (src/frontend/ir/client.S), and links it with the object, which
 * may be in C or C++.  At run time linchpin tells the client which calls to make, in which threads
 * and with which arguments.
 */
#include "../linchpin.h"

typedef void *lp_client_body(void *);

/* The next call of the current thread; NULL if it was the last one. */
lp_client_body *lp_client_next(void);
/* Begins the threads, and waits for them; those with several calls run `sequence`. */
void lp_client_run(lp_client_body *sequence);

/* Defined by the linker: the begin and the end of the section of entries. */
extern const struct lp_harness_entry *const __start_lp_harness[]
	__attribute__((visibility("hidden"), weak));
extern const struct lp_harness_entry *const __stop_lp_harness[]
	__attribute__((visibility("hidden"), weak));

/* linchpin reads this table. */
extern const struct lp_harness_entry *const *const lp_harness_table[2]
	__attribute__((visibility("default")));
const struct lp_harness_entry *const *const lp_harness_table[2] = { __start_lp_harness,
								    __stop_lp_harness };

static void *lp_client_sequence(void *unused)
{
	lp_client_body *call;

	while ((call = lp_client_next()) != 0)
		call(unused);
	return 0;
}

/* It only reads data that never changes, so its accesses need no instrumentation. */
__attribute__((no_sanitize("thread"))) static void lp_client_blocks(int kind)
{
	for (const struct lp_harness_entry *const *e = __start_lp_harness;
	     e != __stop_lp_harness; e++)
		if ((*e)->kind == kind)
			(*e)->body(0);
}

int main(void)
{
	lp_client_blocks(LP_HARNESS_SETUP);
	lp_client_sequence(0);
	lp_client_run(lp_client_sequence);
	lp_client_blocks(LP_HARNESS_INVARIANT);
	lp_client_blocks(LP_HARNESS_TEARDOWN);
	return 0;
}
