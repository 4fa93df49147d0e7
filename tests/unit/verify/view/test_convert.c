/* test_convert.c -- explorations written by hand, and the results made of them. */
#include "verify/view/convert.h"

#include "base/alloc.h"
#include "expect.h"
#include "explore/explore.h"
#include "report/result.h"

#include <stdio.h>
#include <string.h>

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct lp_result convert(const struct lp_exploration *from, uint64_t random,
				struct lp_arena *arena)
{
	const struct lp_explore_options options = { .model = LP_MODEL_TSO, .sampling.executions = random };
	struct lp_result r = { 0 };

	lp_convert_exploration(from, &options, "hi", arena, &r);
	return r;
}

/* "Verified" comes from a full exploration without errors, and from nothing else. */
static void test_verdicts(struct lp_arena *arena)
{
	struct lp_exploration e = { .verdict = LP_VERIFIED, .executions = 3, .blocked = 1 };
	struct lp_result r = convert(&e, 0, arena);

	EXPECT(r.verdict == LP_RESULT_VERIFIED && !r.violation && !r.kind && !r.reason);
	EXPECT(r.counts.executions == 3 && r.counts.blocked == 1 && same(r.question.model, "tso"));
	r = convert(&e, 100, arena);
	EXPECT(r.verdict == LP_RESULT_INCONCLUSIVE && r.reason);

	e = (struct lp_exploration){ .verdict = LP_INCONCLUSIVE, .reason = "time" };
	r = convert(&e, 0, arena);
	EXPECT(r.verdict == LP_RESULT_INCONCLUSIVE && same(r.reason, "time") && !r.violation);

	e = (struct lp_exploration){
		.verdict = LP_VIOLATION, .kind = LP_ERROR_RACE, .text = "x", .thread = 2,
		.where = "a.c:1", .other_where = "a.c:2",
	};
	r = convert(&e, 100, arena);
	EXPECT(r.verdict == LP_RESULT_VIOLATION && same(r.kind, "race") && same(r.text, "x"));
	EXPECT(r.violation && same(r.violation->output, "hi"));
	EXPECT(r.violation && r.violation->thread == 2 && same(r.violation->where, "a.c:1") &&
	       same(r.violation->other_where, "a.c:2"));

	/* What is not modelled: no verdict, but the way there is shown. */
	const struct lp_step step = { .op = { .kind = LP_OP_FENCE } };
	e.verdict = LP_INCONCLUSIVE;
	e.kind = LP_ERROR_UNSUPPORTED;
	e.reason = "x";
	e.steps = &step;
	e.step_count = 1;
	r = convert(&e, 0, arena);
	EXPECT(r.verdict == LP_RESULT_INCONCLUSIVE && same(r.reason, "x") && !r.text);
	EXPECT(r.violation && r.violation->step_count == 1);
}

/* One step alone, converted. */
static struct lp_result_step one(struct lp_step step, enum lp_error_kind kind, struct lp_arena *arena)
{
	const struct lp_exploration e = {
		.verdict = LP_VIOLATION, .kind = kind, .steps = &step, .step_count = 1,
	};
	return convert(&e, 0, arena).violation->steps[0];
}

static void test_steps(struct lp_arena *arena)
{
	const struct lp_value all = { UINT64_MAX, UINT64_MAX };
	struct lp_step step = {
		.thread = 1, .event = 7, .where = "a.c:3", .location = "x", .function = "f",
		.reads_from = LP_STEP_INITIAL, .co_after = LP_STEP_NONE,
		.op = { .kind = LP_OP_LOAD, .size = 4, .order = LP_ACQ },
		.answer = { .value = { 5, 0 } },
	};
	struct lp_result_step s = one(step, LP_ERROR_RACE, arena);

	EXPECT(same(s.action, "load") && same(s.location, "x") && same(s.order, "acquire"));
	EXPECT(s.has_read && !s.has_wrote && s.read.lo == 5 && s.size == 4 && !s.note);
	EXPECT(s.thread == 1 && s.event == 7 && same(s.where, "a.c:3") && same(s.function, "f"));
	EXPECT(s.reads_from == LP_RESULT_INITIAL && s.overwrites == LP_RESULT_NO_STEP);

	step.op = (struct lp_op){ .kind = LP_OP_RMW, .size = 4, .order = LP_ACQREL,
				  .fail_order = LP_RLX, .when = LP_IF_EQUAL, .mask = all,
				  .value = { 5, 0 } };
	step.answer.wrote = lp_value(6);
	s = one(step, LP_ERROR_RACE, arena);
	EXPECT(same(s.action, "compare-exchange") && same(s.order, "acq_rel"));
	EXPECT(s.has_read && s.has_wrote && s.wrote.lo == 6 && !s.note);
	step.answer.failed = true; /* although 5 was expected, and read */
	s = one(step, LP_ERROR_RACE, arena);
	EXPECT(s.has_read && !s.has_wrote && same(s.order, "relaxed"));
	EXPECT(same(s.note, "failed spuriously (it is weak)"));
	step.op.value = lp_value(4);
	EXPECT(same(one(step, LP_ERROR_RACE, arena).note, "failed"));

	step.op = (struct lp_op){ .kind = LP_OP_RMW, .size = 1, .internal = true,
				  .name = "pthread_mutex_lock" };
	step.answer.failed = false;
	s = one(step, LP_ERROR_RACE, arena);
	EXPECT(same(s.action, "pthread_mutex_lock") && same(s.location, "x"));
	EXPECT(!s.has_read && !s.has_wrote && !s.order && !s.note);
	step.blocked = true;
	EXPECT(same(one(step, LP_ERROR_RACE, arena).note, "waits"));
	EXPECT(same(one(step, LP_ERROR_DEADLOCK, arena).note, "waits forever"));
	step.blocked = false;

	step.op = (struct lp_op){ .kind = LP_OP_FENCE, .order = LP_SC };
	s = one(step, LP_ERROR_RACE, arena);
	EXPECT(same(s.action, "fence") && same(s.order, "seq_cst") && !s.location && !s.has_read);

	step.op = (struct lp_op){ .kind = LP_OP_SPAWN, .target = 3 };
	EXPECT(same(one(step, LP_ERROR_RACE, arena).action, "start T3"));
	step.op = (struct lp_op){ .kind = LP_OP_CHOOSE, .count = 3, .name = "nondet" };
	step.answer.value = lp_value(2);
	s = one(step, LP_ERROR_RACE, arena);
	EXPECT(same(s.action, "nondet: choice 2 of 0..2") && !s.has_read);
}

/* A step that is the error itself is not shown, and indices shift accordingly;
 * a write may come before, in coherence, what is listed before it. */
static void test_indices(struct lp_arena *arena)
{
	const struct lp_step steps[] = {
		{ .thread = 1, .op = { .kind = LP_OP_STORE, .loc = 64 }, .reads_from = LP_STEP_NONE,
		  .co_after = 2 },
		{ .thread = 2, .op = { .kind = LP_OP_ERROR }, .reads_from = LP_STEP_NONE,
		  .co_after = LP_STEP_NONE, .function = "g" },
		{ .thread = 1, .op = { .kind = LP_OP_STORE }, .reads_from = LP_STEP_NONE,
		  .co_after = LP_STEP_INITIAL },
		{ .thread = 3, .op = { .kind = LP_OP_LOAD, .loc = 64 }, .reads_from = 2,
		  .co_after = LP_STEP_NONE },
	};
	const struct lp_exploration e = {
		.verdict = LP_VIOLATION, .kind = LP_ERROR_ASSERTION, .thread = 2, .where = "a.c:9",
		.steps = steps, .step_count = 4,
	};
	const struct lp_result r = convert(&e, 0, arena);
	const struct lp_result_violation *v = r.violation;

	EXPECT(v->step_count == 3 && same(v->function, "g"));
	EXPECT(v->steps[0].overwrites == 1 && v->steps[1].overwrites == LP_RESULT_INITIAL);
	EXPECT(v->steps[2].reads_from == 1 && v->steps[2].thread == 3);
	EXPECT(v->steps[0].place == v->steps[2].place && v->steps[0].place != v->steps[1].place);
}

static bool after_is(const struct lp_result_step *s, uint32_t count, uint32_t first)
{
	return s->after_count == count && (!count || s->after[0] == first);
}

/* T0 stores, and starts T1, which is not shown; T1 releases to T2, in which the second
 * step acquires: what T0 did is implied there. */
static void test_happens_before(struct lp_arena *arena)
{
	static const uint32_t clock[][3] = { { 1 }, { 2 }, { 2, 1 }, { 0, 0, 1 }, { 2, 1, 2 }, { 2, 1, 3 },
					     { 2, 2, 4 }, { 2, 2 } };
	static const struct { uint32_t thread, event; uint8_t kind; } what[] = {
		{ 0, 0, LP_OP_STORE }, { 0, 1, LP_OP_ERROR }, { 1, 0, LP_OP_STORE },
		{ 2, 0, LP_OP_LOAD }, { 2, 1, LP_OP_LOAD }, { 2, 2, LP_OP_LOAD },
		{ 2, 3, LP_OP_JOIN }, { 1, 1, LP_OP_END },
	};
	struct lp_step steps[8];

	for (uint32_t i = 0; i < 8; i++)
		steps[i] = (struct lp_step){
			.thread = what[i].thread, .event = what[i].event, .op = { .kind = what[i].kind },
			.reads_from = LP_STEP_NONE, .co_after = LP_STEP_NONE,
			.hb = clock[i], .hb_width = 3,
		};
	const struct lp_exploration e = { .verdict = LP_VIOLATION, .kind = LP_ERROR_RACE, .steps = steps,
					  .step_count = 8 };
	const struct lp_result_step *s = convert(&e, 0, arena).violation->steps;

	EXPECT(after_is(&s[0], 0, 0));
	EXPECT(after_is(&s[1], 1, 0)); /* the start of T1 stands for what precedes it */
	EXPECT(after_is(&s[2], 0, 0));
	EXPECT(after_is(&s[3], 1, 1)); /* not also 0 */
	EXPECT(after_is(&s[4], 0, 0)); /* nothing new */
	EXPECT(after_is(&s[5], 0, 0)); /* nor in the join: the end is listed later */
	EXPECT(after_is(&s[6], 0, 0));
}

int main(void)
{
	struct lp_arena arena = { 0 };

	test_verdicts(&arena);
	test_steps(&arena);
	test_indices(&arena);
	test_happens_before(&arena);
	lp_arena_close(&arena);
	return expect_status();
}
