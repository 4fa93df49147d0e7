/* states_view.h -- the calls of an execution that the state explorer found wrong. */
#ifndef LP_VERIFY_VIEW_STATES_VIEW_H
#define LP_VERIFY_VIEW_STATES_VIEW_H

#include "base/vec.h"
#include "check/product/product.h"
#include "explore/state/state.h"
#include "runtime/native_process.h"
#include "verify/harness.h"

struct lp_result_client;
struct lp_result_step;
struct lp_result_violation;

/* All calls that threads can make.  The four arrays have an entry for each call: `calls` for the runtime, `spec` for the
 * specification, `rule` for the explorer, and `method` with the index of its method in the harness. */
struct lp_menu {
	struct { LP_VEC(struct lp_menu_call); } calls;
	struct { LP_VEC(struct lp_product_call); } spec;
	struct { LP_VEC(uint32_t); } method;
	struct { LP_VEC(struct lp_state_call); } rule;
};

/* A call of a thread. */
struct lp_states_call {
	uint32_t thread, call; /* `call`: the index of the call in the menu */
	uint32_t begins, ends; /* the steps at which the call begins and ends; `ends` is LP_STEP_NONE if the call is open */
	int64_t result;
};

/* Lists all calls, sorted by thread; the calls of one thread are in the order in which it made them. */
const struct lp_states_call *lp_states_calls(const struct lp_exploration *, uint32_t threads, struct lp_arena *, uint32_t *count);

/* Returns the client, as reports show it. */
struct lp_result_client *lp_states_view(const struct lp_exploration *, const struct lp_harness *, const struct lp_menu *,
					uint32_t threads, struct lp_arena *);

/* Returns the steps of `shown`, but with calls and returns described in words. */
const struct lp_result_step *lp_states_steps(const struct lp_exploration *,
					     const struct lp_result_violation *shown,
					     const struct lp_harness *, const struct lp_menu *,
					     struct lp_arena *);

/* Returns a client from which --emit-test writes a program with the calls of the given client.  The new client has the calls of
 * LP_PRE before its threads, and keeps the order in time of calls in different threads.  `waiting` is a thread that is between two
 * calls, and in which any call would wait; 0: there is no such thread.  If no call is open, a call of this thread is added. */
const struct lp_result_client *lp_states_test_client(const struct lp_result_client *, const struct lp_harness *,
						     const struct lp_menu *, lp_tid waiting, struct lp_arena *);

#endif
