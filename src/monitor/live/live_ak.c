/* live_ak.c -- the counting abstraction A_k (check/counting/ak.h), live.
 *
 * It detects less than the exact checkers, since it forgets the order of calls that started k or more epochs ago, but it supports
 * more kinds of objects.  Values must be distinct: as soon as a value occurs twice, this checker stops reporting.
 */
#include <stdio.h>

#include "base/error.h"
#include "check/counting/ak.h"
#include "monitor/live/live_checker.h"

static void start(struct lp_live *live, const struct lp_live_call *c, uint64_t *handle,
		  bool carried)
{
	*handle = 0;
	if (live->repeats) {
		live->unclear += !carried;
		return;
	}
	*handle = carried ? LP_AK_UNSEEN : lp_ak_call(live->self, c->method, c->arg) + 1;
}

/* Results as the specification has them. */
static int64_t result_of(const struct lp_live *live, const struct lp_live_call *c)
{
	const enum lp_shape shape = live->spec->kind->methods[c->method].result;

	if (shape == LP_VALUE_OR_EMPTY && (c->result == LP_NIL || c->result == LP_VOID))
		return LP_EMPTY;
	return shape == LP_SUCCESS && c->result == LP_FULL ? 0 : c->result;
}

static void end(struct lp_live *live, const struct lp_live_call *c, uint64_t handle)
{
	struct lp_ak *ak = live->self;
	const uint64_t epoch = handle == LP_AK_UNSEEN ? handle : handle - 1;

	if (!handle || live->repeats)
		return;
	const bool wrong = lp_ak_return(ak, epoch, c->method, c->arg, result_of(live, c));
	if (lp_ak_unsuitable(ak)) {
		live->repeats = true;
	} else if (wrong) {
		lp_live_blame_call(live, c);
		lp_ak_describe(lp_ak_violation(ak), live->spec, live->words, sizeof live->words);
		live->is_partial = true;
		lp_live_wrong(live, live->words, 0);
	} else if (lp_ak_live(ak) > live->most) {
		lp_live_stuck(live, LP_LIVE_TOO_MANY);
	}
}

static void forget(struct lp_live *live, bool unknown, uint64_t until)
{
	(void)until;
	if (unknown)
		lp_ak_restart(live->self, live->going_on);
}

static bool open_ak(struct lp_live *live)
{
	struct lp_error error;

	live->self = lp_ak_open(live->spec, live->k, LP_AK_RULES, &error);
	return live->self;
}

static void close_ak(struct lp_live *live)
{
	if (live->self)
		lp_ak_close(live->self);
}

static uint64_t bytes(const struct lp_live *live)
{
	return lp_ak_live(live->self) * 64; /* about */
}

const struct lp_live_kind lp_live_ak = {
	.open = open_ak,
	.close = close_ak,
	.forget = forget,
	.start = start,
	.end = end,
	.bytes = bytes,
};
