/* same.c -- are two explorations the same, to the last step? */
#include "same.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../oracle/counts.h"
#include "program/script.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_step(const struct lp_step *a, const struct lp_step *b)
{
	return a->thread == b->thread && a->event == b->event && a->op.kind == b->op.kind &&
	       a->op.loc == b->op.loc && a->op.pc == b->op.pc &&
	       lp_value_equal(a->op.operand, b->op.operand) &&
	       lp_value_equal(a->answer.value, b->answer.value) &&
	       lp_value_equal(a->answer.wrote, b->answer.wrote) &&
	       a->answer.failed == b->answer.failed && a->blocked == b->blocked &&
	       a->reads_from == b->reads_from && a->co_after == b->co_after &&
	       same_text(a->where, b->where) && same_text(a->location, b->location);
}

static const char *difference(const struct lp_exploration *a, const struct lp_exploration *b)
{
	if (a->verdict != b->verdict)
		return "verdict";
	if (a->kind != b->kind || !same_text(a->text, b->text) ||
	    !same_text(a->reason, b->reason))
		return "kind, text or reason";
	if (a->executions != b->executions)
		return "executions";
	if (a->blocked != b->blocked || a->abandoned != b->abandoned)
		return "blocked or abandoned";
	if (a->estimate < b->estimate || a->estimate > b->estimate)
		return "estimate";
	if (a->thread != b->thread || !same_text(a->where, b->where) ||
	    !same_text(a->other_where, b->other_where))
		return "place of the violation";
	if (a->outcome_count != b->outcome_count)
		return "number of outcomes";
	for (uint32_t i = 0; i < a->outcome_count; i++)
		if (!same_text(a->outcomes[i].text, b->outcomes[i].text) ||
		    a->outcomes[i].executions != b->outcomes[i].executions)
			return "outcomes";
	if (a->step_count != b->step_count)
		return "number of steps";
	for (uint32_t i = 0; i < a->step_count; i++)
		if (!same_step(&a->steps[i], &b->steps[i]))
			return "steps";
	return NULL;
}

bool same_exploration(const struct lp_exploration *a, const struct lp_exploration *b)
{
	const char *what = difference(a, b);

	if (what)
		printf("they differ in: %s\n"
		       "  verdict %d and %d, %s and %s, executions %llu and %llu, blocked %llu and %llu\n",
		       what, a->verdict, b->verdict, a->text ? a->text : a->reason,
		       b->text ? b->text : b->reason, (unsigned long long)a->executions,
		       (unsigned long long)b->executions, (unsigned long long)a->blocked,
		       (unsigned long long)b->blocked);
	return !what;
}

static const char *const fixed[] = {
	/* IRIW */
	("thread\n store.rlx x 1\nthread\n store.rlx y 1\n"
	 "thread\n r0 = load.acq x\n r1 = load.acq y\n"
	 "thread\n r0 = load.acq y\n r1 = load.acq x\n"
	 "final\n outcome 3:r0 3:r1 4:r0 4:r1\n"),
	/* locks */
	("thread\n lock m\n r0 = pload x\n pstore x r0+1\n unlock m\n"
	 "thread\n lock m\n r0 = pload x\n pstore x r0+1\n unlock m\n"
	 "thread\n lock m\n r0 = pload x\n pstore x r0+1\n unlock m\n"
	 "thread\n lock m\n r0 = pload x\n pstore x r0+1\n unlock m\n"
	 "final\n r0 = load.rlx x\n outcome 0:r0\n"),
	/* deadlock in some order */
	("thread\n lock a\n lock b\n unlock b\n unlock a\n"
	 "thread\n lock b\n lock a\n unlock a\n unlock b\n"
	 "thread\n add.rlx x 1\n add.rlx x 1\nthread\n add.rlx x 1\n add.rlx x 1\n"),
	/* an assertion that fails late */
	("thread\n add.rlx x 1\nthread\n r0 = add.rlx x 2\nthread\n r0 = add.rlx x 4\n"
	 "thread\n add.rlx x 8\nthread\n r0 = load.rlx x\n assert r0 != 10\n"
	 "final\n outcome 5:r0 2:r0 3:r0\n"),
	/* a race that needs an order */
	("thread\n pstore d 1\n store.rlx f 1\nthread\n r0 = load.acq f\n if r0 == 0 goto out\n"
	 " r1 = pload d\n out:\nthread\n store.rlx g 1\n store.rlx g 2\n"
	 "thread\n r0 = load.rlx g\n r1 = load.rlx g\n"),
	/* choices, weak CAS, assumptions, loops */
	("thread\n r0 = choose 3\n again:\n r1 r2 = wcas.acqrel.rlx x r0 7\n"
	 " if r2 == 0 goto again\nthread\n r0 = choose 3\n store.rlx x r0\n"
	 "thread\n r0 = load.rlx x\n assume r0 != 2\nfinal\n r0 = load.rlx x\n outcome 0:r0 1:r0 3:r0\n"),
	/* waiting */
	("thread\n spin:\n r0 = load.acq f\n if r0 == 0 goto spin\n r1 = load.rlx x\n"
	 "thread\n store.rlx x 1\n store.rel f 1\n store.rlx x 2\n"
	 "thread\n r0 = load.rlx x\n r1 = load.rlx x\nfinal\n outcome 1:r1 3:r0 3:r1\n"),
	/* plain accesses that are events, since there are others before them */
	("thread\n store.rlx y 2\n r0 = pload y\n pstore y 3\n"
	 "thread\n store.sc x 2\n r0 = load.rlx x\nthread\n store.rel x 1\n r0 = load.rlx x\n"
	 "thread\n r0 = load.rlx x\nfinal\n r0 = load.rlx y\n outcome 1:r0 2:r0 3:r0 4:r0 0:r0\n"),
	/* waiting forever */
	("thread\n await.acq f 3\nthread\n add.rlx f 1\nthread\n add.rlx f 1\nthread\n r0 = load.rlx f\n"
	 " if r0 != 1 goto out\n add.rlx f 1\n out:\n"),
};

char *sample_script(unsigned number)
{
	const unsigned written = sizeof fixed / sizeof *fixed;
	unsigned others = 0;

	if (number < written)
		return strdup(fixed[number]);
	for (unsigned i = 0; i < count_case_count; i++) {
		const struct count_case *c = &count_cases[i];
		if (c->model == LP_MODEL_RC11 && c->executions <= 10000 && others++ == number - written)
			return c->make(c->n);
	}
	return NULL;
}

struct lp_script *parse_or_die(const char *text)
{
	struct lp_error error = { .hint = "" };
	struct lp_script *s = lp_script_parse(text, &error);

	if (!s) {
		printf("does not parse: %s\n%s\n", error.text, text);
		exit(1);
	}
	return s;
}
