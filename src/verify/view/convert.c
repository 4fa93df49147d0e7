/* convert.c -- from what an explorer returns to what the reports show.
 *
 * Here operations get their descriptions.  An access of the user's program is shown with its values and
 * memory order.  A call that the runtime models by accesses of its own, such as locking a mutex, is shown with its
 * name and object only, because the values of these accesses mean nothing to the user.
 */
#include "verify/view/convert.h"

#include "base/alloc.h"
#include "verify/view/convert_fold.h"
#include "verify/view/convert_plain.h"
#include "verify/view/convert_waits.h"
#include "explore/explore.h"
#include "model/model.h"
#include "report/result.h"
#include "verify/gap.h"
#include "verify/view/convert_hb.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3)))
static const char *text(struct lp_arena *arena, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	return lp_arena_strdup(arena, line);
}

static const char *order_name(unsigned order)
{
	static const char *const name[] = {
		[LP_PLAIN] = "plain",     [LP_RLX] = "relaxed",    [LP_ACQ] = "acquire",
		[LP_REL] = "release",     [LP_ACQREL] = "acq_rel", [LP_SC] = "seq_cst",
	};
	return name[order];
}

static const char *rmw_name(const struct lp_op *op)
{
	static const char *const name[] = {
		[LP_XCHG] = "exchange", [LP_ADD] = "fetch_add", [LP_SUB] = "fetch_sub",
		[LP_AND] = "fetch_and", [LP_OR] = "fetch_or",   [LP_XOR] = "fetch_xor",
		[LP_NAND] = "fetch_nand", [LP_MAX] = "fetch_max", [LP_MIN] = "fetch_min",
		[LP_UMAX] = "fetch_max", [LP_UMIN] = "fetch_min", [LP_FADD] = "fetch_add",
		[LP_FSUB] = "fetch_sub", [LP_FMAX] = "fetch_max", [LP_FMIN] = "fetch_min",
	};
	return op->when == LP_IF_EQUAL && op->rmw == LP_XCHG ? "compare-exchange" : name[op->rmw];
}

static const char *action(const struct lp_step *s, struct lp_arena *arena)
{
	const struct lp_op *op = &s->op;

	switch ((enum lp_op_kind)op->kind) {
	case LP_OP_LOAD:
		return op->name ? op->name : "load";
	case LP_OP_STORE:
		return op->name ? op->name : "store";
	case LP_OP_RMW:
		return op->name ? op->name : rmw_name(op);
	case LP_OP_FENCE:
		return op->name ? op->name : "fence";
	case LP_OP_SPAWN:
		return text(arena, "start T%u", op->target);
	case LP_OP_JOIN:
		return text(arena, "join T%u", op->target);
	case LP_OP_CHOOSE:
		return text(arena, "%s: choice %" PRIu64 " of 0..%u", op->name ? op->name : "choose",
			    s->answer.value.lo, op->count - 1);
	case LP_OP_BLOCK:
		return "an assumption does not hold";
	case LP_OP_YIELD:
		return op->name ? op->name : "yield";
	case LP_OP_CALL:
	case LP_OP_RETURN:
	case LP_OP_POINT:
	case LP_OP_ALLOC:
	case LP_OP_FREE:
		return op->name;
	case LP_OP_END:
		return "end";
	case LP_OP_ERROR:
		return "error";
	}
	return "?";
}

static const char *note(const struct lp_step *s, bool forever)
{
	const struct lp_op *op = &s->op;

	if (s->racing)
		return "about to happen";
	if (s->blocked)
		return forever ? "waits forever" : "waits";
	if (op->kind != LP_OP_RMW || !s->answer.failed || op->internal)
		return NULL;
	return lp_op_holds(op, s->answer.value) ? "failed spuriously (it is weak)" : "failed";
}

static void convert_step(const struct lp_step *s, bool forever, struct lp_arena *arena,
			 struct lp_result_step *out)
{
	const struct lp_op *op = &s->op;
	const bool failed = op->kind == LP_OP_RMW && s->answer.failed;
	const bool seen = lp_op_is_access(op) && !op->internal && !s->blocked && !s->racing;

	*out = (struct lp_result_step){
		.thread = s->thread,
		.event = s->event,
		.pending = s->blocked || s->racing,
		.action = action(s, arena),
		.note = note(s, forever),
		.size = op->size,
		.where = s->where,
		.function = s->function,
		.caller = s->caller,
	};
	if (lp_op_is_access(op))
		out->location = s->location;
	if ((lp_op_is_access(op) && !op->internal) || op->kind == LP_OP_FENCE)
		out->order = order_name(failed ? op->fail_order : op->order);
	if (seen && op->kind != LP_OP_STORE) {
		out->has_read = true;
		out->read = s->answer.value;
		out->read_name = s->read;
	}
	if (seen && op->kind != LP_OP_LOAD && !failed) {
		out->has_wrote = true;
		out->wrote = s->answer.wrote;
		out->wrote_name = s->wrote;
	}
}

/* Steps that end in an error are not shown as steps: the violation says more. */
static bool is_shown(const struct lp_step *s)
{
	return s->op.kind != LP_OP_ERROR;
}

/* The place of a step among those that are shown; `index` has it for all steps. */
static uint32_t convert_index(uint32_t step, const uint32_t *index, uint32_t count)
{
	if (step == LP_STEP_INITIAL)
		return LP_RESULT_INITIAL;
	return step < count ? index[step] : LP_RESULT_NO_STEP;
}

static int compare_places(const void *a, const void *b)
{
	const uintptr_t p = *(const uintptr_t *)a, q = *(const uintptr_t *)b;

	return (p > q) - (p < q);
}

/* Where the steps, and the plain accesses that are shown, stand in the report. */
struct layout {
	uint32_t *step, *plain; /* LP_RESULT_NO_STEP: nowhere */
	const uint32_t *again;  /* as in struct lp_fold */
	uint32_t shown;
};

static struct layout lay_out(const struct lp_exploration *from, struct lp_arena *arena)
{
	struct layout l = { .step = lp_arena_alloc(arena, sizeof *l.step * (from->step_count + 1)),
			    .plain = lp_arena_alloc(arena, sizeof *l.plain * (from->plain_count + 1)) };
	const struct lp_fold fold = lp_fold_steps(from, arena);
	bool *chosen = lp_arena_alloc(arena, sizeof *chosen * (from->plain_count + 1));
	uint32_t plain = 0;

	l.again = fold.again;
	lp_plains_choose(from, chosen);
	for (uint32_t i = 0; i <= from->step_count; i++) {
		for (; plain < from->plain_count && from->plains[plain].before <= i; plain++)
			l.plain[plain] = chosen[plain] && !fold.plain_hidden[plain] ? l.shown++ : LP_RESULT_NO_STEP;
		if (i < from->step_count)
			l.step[i] = is_shown(&from->steps[i]) && !fold.hidden[i] ? l.shown++ : LP_RESULT_NO_STEP;
	}
	return l;
}

/* The memory that each step of the report accesses; 0: none. */
static uintptr_t *places_of(const struct lp_exploration *from, const struct layout *l, struct lp_arena *arena)
{
	uintptr_t *places = lp_arena_alloc(arena, sizeof *places * (l->shown + 1)); /* zeroed */

	for (uint32_t i = 0; i < from->step_count; i++)
		if (lp_op_is_access(&from->steps[i].op) && l->step[i] != LP_RESULT_NO_STEP)
			places[l->step[i]] = from->steps[i].op.loc;
	for (uint32_t i = 0; i < from->plain_count; i++)
		if (l->plain[i] != LP_RESULT_NO_STEP && from->plains[i].known) /* a copy is of several places */
			places[l->plain[i]] = from->plains[i].loc;
	return places;
}

/* Numbers the places that are accessed, from 1. */
static void number_places(const struct lp_exploration *from, const struct layout *l, struct lp_arena *arena,
			  struct lp_result_step *steps)
{
	const uintptr_t *places = places_of(from, l, arena);
	uintptr_t *sorted = lp_arena_alloc(arena, sizeof *sorted * (l->shown + 1));
	uint32_t count = 0, distinct = 0;

	for (uint32_t i = 0; i < l->shown; i++)
		if (places[i])
			sorted[count++] = places[i];
	qsort(sorted, count, sizeof *sorted, compare_places);
	for (uint32_t i = 0; i < count; i++)
		if (!i || sorted[i] != sorted[distinct - 1])
			sorted[distinct++] = sorted[i];
	for (uint32_t i = 0; i < l->shown; i++)
		if (places[i])
			steps[i].place = 1 + (uint32_t)((uintptr_t *)bsearch(&places[i], sorted, distinct,
						sizeof *sorted, compare_places) - sorted);
}

static uint32_t party_index(const struct layout *l, const struct lp_party *p)
{
	const uint32_t index = p->step != LP_STEP_NONE ? l->step[p->step] :
			       p->plain != LP_STEP_NONE ? l->plain[p->plain] : LP_RESULT_NO_STEP;

	return index == LP_RESULT_NO_STEP ? 0 : index + 1;
}

static void convert_race(const struct lp_exploration *from, const struct layout *l, struct lp_result_step *steps,
			 struct lp_result_violation *out)
{
	struct lp_party first, second;

	if (!lp_convert_race_parties(from, &first, &second))
		return;
	out->race[0] = party_index(l, &first);
	out->race[1] = party_index(l, &second);
	if (out->race[0])
		out->other_where = steps[out->race[0] - 1].where;
	if (out->race[1] && steps[out->race[1] - 1].plain) /* which value it gets, nothing says */
		steps[out->race[1] - 1].reads_from = LP_RESULT_NO_STEP;
}

/* "failed, and 16 more times the same" */
static const char *say_again(const char *note, uint32_t times, struct lp_arena *arena)
{
	return text(arena, "%s%sand %u more times the same", note ? note : "", note ? ", " : "", times);
}

static void convert_steps(const struct lp_exploration *from, bool forever,
			  struct lp_arena *arena, struct lp_result_violation *out)
{
	const uint32_t count = from->step_count;
	const struct layout l = lay_out(from, arena);
	struct lp_result_step *steps = lp_arena_alloc(arena, sizeof *steps * (l.shown + 1));

	for (uint32_t i = 0; i < count; i++) {
		const struct lp_step *s = &from->steps[i];

		if (l.step[i] != LP_RESULT_NO_STEP) {
			convert_step(s, forever, arena, &steps[l.step[i]]);
			if (l.again[i])
				steps[l.step[i]].note = say_again(steps[l.step[i]].note, l.again[i], arena);
			steps[l.step[i]].reads_from = convert_index(s->reads_from, l.step, count);
			steps[l.step[i]].overwrites = convert_index(s->co_after, l.step, count);
		} else if (s->thread == out->thread && !is_shown(s)) {
			out->function = s->function;
		}
	}
	for (uint32_t i = 0; i < from->plain_count; i++)
		if (l.plain[i] != LP_RESULT_NO_STEP)
			lp_convert_plain(&from->plains[i], &steps[l.plain[i]]);
	number_places(from, &l, arena, steps);
	lp_plain_origins(steps, l.shown);
	lp_convert_hb(from, l.step, arena, steps);
	convert_race(from, &l, steps, out);
	out->steps = steps;
	out->step_count = l.shown;
	if (from->loop)
		out->loop = 1 + l.step[from->loop - 1];
}

static const struct lp_result_violation *convert_violation(const struct lp_exploration *from,
							    const char *output,
							    struct lp_arena *arena)
{
	struct lp_result_violation *out = lp_arena_alloc(arena, sizeof *out);
	const bool forever = from->kind && !from->loop &&
			      (from->kind == LP_ERROR_DEADLOCK || from->kind == LP_ERROR_LIVENESS);

	out->thread = from->thread;
	out->where = from->where;
	out->other_where = from->other_where;
	out->location = from->location;
	out->output = output;
	convert_steps(from, forever, arena, out);
	out->why = from->kind == LP_ERROR_DEADLOCK ? lp_convert_waits(out, arena) : lp_gap_race(from, arena);
	return out;
}

static void convert_outcomes(const struct lp_exploration *from, struct lp_arena *arena,
			     struct lp_result *out)
{
	struct lp_result_outcome *outcomes =
		lp_arena_alloc(arena, sizeof *outcomes * from->outcome_count);

	for (uint32_t i = 0; i < from->outcome_count; i++) {
		outcomes[i].text = from->outcomes[i].text;
		outcomes[i].executions = from->outcomes[i].executions;
	}
	out->counts.outcomes = outcomes;
	out->counts.outcome_count = from->outcome_count;
}

static void convert_verdict(const struct lp_exploration *from,
			    const struct lp_explore_options *options, struct lp_result *out)
{
	out->text = from->text;
	out->error = from->kind;
	out->kind = lp_error_name(from->kind);
	out->reason = from->reason;
	switch (from->verdict) {
	case LP_VERIFIED:
		out->verdict = LP_RESULT_VERIFIED;
		if (options->sampling.executions) {
			out->verdict = LP_RESULT_INCONCLUSIVE;
			out->reason = "executions were sampled, not all explored";
		}
		break;
	case LP_VIOLATION:
		out->verdict = LP_RESULT_VIOLATION;
		break;
	case LP_INCONCLUSIVE:
		out->verdict = LP_RESULT_INCONCLUSIVE;
		if (out->text && out->reason && !strcmp(out->text, out->reason))
			out->text = NULL; /* once is enough */
		break;
	}
}

void lp_convert_exploration(const struct lp_exploration *from,
			    const struct lp_explore_options *options, const char *output,
			    struct lp_arena *arena, struct lp_result *out)
{
	convert_verdict(from, options, out);
	out->question.model = lp_model_word(options->model);
	out->question.one_memory = lp_model_class_of(options->model)->one_memory;
	out->question.prop = "no errors";
	out->counts.executions = from->executions;
	out->counts.blocked = from->blocked;
	out->counts.abandoned = from->abandoned;
	out->counts.left = from->left;
	out->counts.left_pc = from->left_pc;
	out->counts.distinct = options->sampling.executions ? from->distinct : 0;
	out->question.bounded = lp_is_bounded(options) || from->cut;
	out->counts.estimate = from->estimate;
	convert_outcomes(from, arena, out);
	/* What is not modelled has an execution, too, and no verdict. */
	if (from->verdict == LP_VIOLATION || from->step_count)
		out->violation = convert_violation(from, output, arena);
}
