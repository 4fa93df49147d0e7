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

/* All calls that threads can make, in the forms of the runtime, the specification and the explorer,
 * and the harness method of each. */
struct lp_menu {
	struct { LP_VEC(struct lp_menu_call); } calls;
	struct { LP_VEC(struct lp_product_call); } spec;
	struct { LP_VEC(uint32_t); } method;
	struct { LP_VEC(struct lp_state_call); } rule;
};

/* A call of a thread.  `call` is its index in the menu; it begins and ends at the given steps. */
struct lp_states_call {
	uint32_t thread, call;
	uint32_t begins, ends; /* ends: LP_STEP_NONE if the call is open */
	int64_t result;
};

/* Lists all calls, sorted by thread, and for each thread in their order. */
const struct lp_states_call *lp_states_calls(const struct lp_exploration *, uint32_t threads, struct lp_arena *, uint32_t *count);

struct lp_result_client *lp_states_view(const struct lp_exploration *, const struct lp_harness *, const struct lp_menu *,
					uint32_t threads, struct lp_arena *);

/* Returns the steps of `shown`, in which calls and returns are described in words. */
const struct lp_result_step *lp_states_steps(const struct lp_exploration *,
					     const struct lp_result_violation *shown,
					     const struct lp_harness *, const struct lp_menu *,
					     struct lp_arena *);

/* Returns the client for a program that makes the calls (--emit-test): with the calls of LP_PRE before its threads, and with the
 * order in time of calls in different threads.  `waiting` is a thread that is between two calls, and in which any call would
 * wait; if no call is open, such a call is added.  0: there is no such thread. */
const struct lp_result_client *lp_states_test_client(const struct lp_result_client *, const struct lp_harness *,
						     const struct lp_menu *, lp_tid waiting, struct lp_arena *);

#endif
