/* plan_args.h -- the arguments with which the calls of a client are tried.
 *
 * Arguments are chosen in all ways that the object can distinguish (enum lp_arg_mode).  Two calls are alike if they have the same
 * method, and each is the only call of its thread.  Of several clients that differ only in which of two like calls has which
 * arguments, one is visited.  If the object compares values, arguments may also equal the values that exist before the threads: the
 * initial value of the specification, and the arguments that the user gave to calls before the threads.
 */
#ifndef LP_VERIFY_PLAN_ARGS_H
#define LP_VERIFY_PLAN_ARGS_H

#include "verify/plan.h"

enum { LP_ARGS_SLOTS = LP_CLIENT_CALLS * LP_CLIENT_ARGS };

/* A client whose arguments are being chosen.  There is a slot for each argument. */
struct lp_args {
	const struct lp_plan *plan;
	struct lp_plan_client client;
	struct {
		uint32_t call, arg;
		enum lp_arg_mode mode;
		bool given;     /* the user gave this argument, which belongs to a call before the threads */
		uint32_t class; /* EQUAL, ORDERED: the class of the value.  Equal values have the same class; classes are numbered
				 * from 0.  FIXED: the index of the value in lp_harness_method.value */
	} at[LP_ARGS_SLOTS];
	uint32_t count;
	/* EQUAL: the values of the first `names` classes, which are the initial value and the values that the user gave. */
	int64_t named[1 + LP_ARGS_SLOTS];
	uint32_t names;
	uint32_t equal, ordered; /* `equal`: the highest class of EQUAL so far; `ordered`: the number of classes of ORDERED so
				  * far */
	bool initial;            /* ORDERED: class 0 is the initial value, which arguments may equal; the values of the other
				  * classes are in the order of their classes */
};

static inline const struct lp_harness_method *lp_plan_method(const struct lp_plan *p, uint32_t m)
{
	return &p->harness->methods.at[m];
}

void lp_args_open(struct lp_args *, const struct lp_plan *);

/* Adds slots for the arguments of call number `call` of the client. */
void lp_args_choose(struct lp_args *, uint32_t call);

/* Fixes the arguments that were chosen so far.  Ordered values are renumbered, to make room for other
 * values between them. */
void lp_args_take(struct lp_args *);

/* Visits the client with its arguments chosen in every way.  Returns false if visit() ended the enumeration. */
bool lp_args_fill(struct lp_args *);

#endif
