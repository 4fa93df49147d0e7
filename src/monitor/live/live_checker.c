/* live_checker.c -- what the live checkers have in common. */
#include "monitor/live/live_checker.h"

#include "check/counting/ak.h"
#include "spec/traits.h"

static const struct lp_live_kind *exact_kind(const struct lp_kind *kind)
{
	const struct lp_traits *traits = lp_kind_traits(kind);

	if (traits->leaves == LP_LEAVES_FIRST_IN)
		return &lp_live_queue;
	if (traits->leaves == LP_LEAVES_LAST_IN)
		return &lp_live_stack;
	if (traits->tells)
		return &lp_live_states;
	if (traits->leaves != LP_LEAVES_NONE)
		return NULL;
	if (lp_kind_method(kind, LP_VERB_WRITE) != LP_NO_METHOD)
		return &lp_live_register;
	return lp_kind_method(kind, LP_VERB_CONTAINS) != LP_NO_METHOD ? &lp_live_set : NULL;
}

const struct lp_live_kind *lp_live_kind_of(const struct lp_spec *spec, bool ak)
{
	const struct lp_live_kind *exact = ak ? NULL : exact_kind(spec->kind);
	const int k = lp_spec_param(spec, "k");

	/* Calls that may fail: only for those that follow the steps of the specification, which say when. */
	if (lp_spec_uses_overlap(spec) || (lp_spec_is_lenient(spec) && exact != &lp_live_states))
		return NULL;
	if (!exact)
		return lp_ak_is_for(spec) ? &lp_live_ak : NULL;
	return k >= 0 && spec->param[k] && !exact->wants_ticks ? NULL : exact; /* not modulo k */
}

bool lp_live_open(struct lp_live *live, const struct lp_live_kind *kind,
		  const struct lp_spec *spec, uint32_t most, unsigned k)
{
	*live = (struct lp_live){ .kind = kind, .spec = spec, .most = most, .k = k };
	for (uint32_t i = 0; i < spec->kind->method_count && i < LP_LIVE_METHODS; i++)
		lp_method_name(&spec->kind->methods[i], live->names[i]);
	return kind->open(live);
}

void lp_live_close(struct lp_live *live)
{
	if (live->kind)
		live->kind->close(live);
	*live = (struct lp_live){ 0 };
}

void lp_live_blame(struct lp_live *live, struct lp_monitor_op op)
{
	if (!live->wrong && live->core_count < LP_LIVE_CORE)
		live->core[live->core_count++] = op;
}

void lp_live_blame_call(struct lp_live *live, const struct lp_live_call *c)
{
	const uint32_t args = live->spec->kind->methods[c->method].args;

	lp_live_blame(live, (struct lp_monitor_op){ .start = c->start,
						    .end = c->end,
						    .arg = c->arg,
						    .result = c->result,
						    .method = live->names[c->method],
						    .thread = c->thread,
						    .words = c->words,
						    .word_count = c->word_count,
						    .arg_count = c->words ? args : 0 });
}

void lp_live_wrong(struct lp_live *live, const char *why, uint64_t due)
{
	if (live->wrong)
		return;
	live->wrong = true;
	live->why = why;
	live->due = due;
}

void lp_live_stuck(struct lp_live *live, const char *why)
{
	if (!live->stuck)
		live->stuck = why;
}

void lp_live_retract(struct lp_live *live, int64_t value)
{
	live->repeats = true;
	for (uint32_t i = 0; i < live->core_count; i++) {
		if (live->core[i].arg == value || live->core[i].result == value) {
			live->wrong = false;
			live->core_count = 0;
			/* What was concluded since then is doubtful. */
			lp_live_stuck(live, "a value came again after it was found in something wrong");
		}
	}
}
