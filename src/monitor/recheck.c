/* recheck.c -- checks a few calls with the checker for whole histories. */
#include "monitor/recheck.h"

#include <string.h>

#include "base/error.h"
#include "check/history/history_check.h"

void lp_recheck_open(struct lp_recheck *r)
{
	*r = (struct lp_recheck){ 0 };
}

void lp_recheck_close(struct lp_recheck *r)
{
	lp_history_close(&r->history);
}

void lp_recheck_add(struct lp_recheck *r, struct lp_monitor_op op)
{
	struct lp_call c = { .start = (int64_t)op.start,
			     .end = op.end == LP_LIVE_NEVER ? LP_PENDING : (int64_t)op.end,
			     .arg = { op.arg },
			     .args = op.arg != LP_VOID,
			     .result = op.result,
			     .results = op.result != LP_VOID,
			     .thread = op.thread };

	if (op.end == LP_LIVE_NEVER)
		c.results = LP_RESULT_UNKNOWN;
	c.method = lp_history_method(&r->history, op.method, strlen(op.method));
	LP_PUSH(&r->history, c);
}

enum lp_finding lp_recheck_decide(struct lp_recheck *r, const struct lp_spec *spec,
				  struct lp_live *live)
{
	const struct lp_check_options options = { .property = LP_LINEARIZABLE,
						  .explain = live,
						  .seconds = 1,
						  .explain_seconds = 0.2,
						  .memory = (size_t)16 << 20 };
	struct lp_check_result result;
	struct lp_error error;

	if (!lp_history_check(&r->history, spec, &options, &result, &error))
		return LP_UNDECIDED;
	const enum lp_finding finding = result.finding;
	const bool wrong = finding == LP_WRONG;
	for (uint32_t i = 0; live && wrong && i < result.core_count; i++) {
		const struct lp_call *c = &r->history.at[result.core[i]];
		if (c->end == LP_MAX_TIME - 1)
			continue; /* the call was added by live_stack.c, and did not happen */
		uint32_t method = lp_method_named(spec->kind, r->history.methods.at[c->method],
						  strlen(r->history.methods.at[c->method]));
		lp_live_blame(live, (struct lp_monitor_op){
					    .start = (uint64_t)c->start,
					    .end = lp_call_is_pending(c) ? LP_LIVE_NEVER :
									   (uint64_t)c->end,
					    .arg = c->args ? c->arg[0] : LP_VOID,
					    .result = c->results == 1 ? c->result : LP_VOID,
					    .method = live->names[method],
					    .thread = c->thread });
	}
	lp_check_result_close(&result);
	return finding;
}

/* A call with all its words. */
static void add_words(struct lp_recheck *r, const struct lp_monitor_op *op)
{
	struct lp_call c = { .start = (int64_t)op->start, .end = (int64_t)op->end, .thread = op->thread };
	const uint32_t results = op->word_count - op->arg_count;

	c.method = lp_history_method(&r->history, op->method, strlen(op->method));
	c.args = (uint8_t)op->arg_count;
	memcpy(c.arg, op->words, sizeof *c.arg * op->arg_count);
	c.results = results;
	c.result = results == 1 ? op->words[op->arg_count] : r->history.values.count;
	for (uint32_t i = 0; results > 1 && i < results; i++)
		LP_PUSH(&r->history.values, op->words[op->arg_count + i]);
	LP_PUSH(&r->history, c);
}

/* A value that was there before is inserted by a call that ended with the gap. */
bool lp_recheck_confirms(const struct lp_live *live)
{
	const struct lp_kind *kind = live->spec->kind;
	struct lp_recheck r;
	uint32_t insert = 0;

	if (live->is_partial)
		return false;
	while (insert + 1 < kind->method_count && !(kind->methods[insert].roles & LP_INSERTS))
		insert++;
	lp_recheck_open(&r);
	for (uint32_t i = 0; i < live->core_count; i++) {
		struct lp_monitor_op op = live->core[i];
		if (!op.words && !op.method) {
			op.method = live->names[insert];
			op.result = LP_VOID;
		}
		if (op.words)
			add_words(&r, &op);
		else
			lp_recheck_add(&r, op);
	}
	struct lp_spec spec = *live->spec;
	if (live->has_base)
		spec.param[lp_spec_param(&spec, "init")] = live->base;
	const bool wrong = lp_recheck_decide(&r, &spec, NULL) == LP_WRONG;
	lp_recheck_close(&r);
	return wrong;
}
