/* team_serve.c -- machines that explore what rank 0 describes. */
#include "explore/parallel/team_session.h"

#include "base/error.h"
#include "explore/keep.h"
#include "explore/reduce/facts/answers.h"
#include "ranks/records.h"

void lp_team_direct(struct lp_team *t, const struct lp_team_errands *errands)
{
	if (lp_team_is_together(t))
		t->errands = errands;
}

/* The description includes facts: if a pass relied again on a fact that an earlier pass has found false, there would be no end
 * of passes. */
void lp_team_describe(const struct lp_team_session *s)
{
	const struct lp_explore_options *o = &s->pass->options;
	const struct lp_team_errands *e = s->team->errands;
	const uint8_t model = (uint8_t)o->model, weak_fails = o->weak_fails;
	struct lp_bytes all = { 0 }, facts = { 0 };

	if (!e)
		return;
	lp_bytes_put(&all, &model, sizeof model);
	lp_bytes_put(&all, &weak_fails, sizeof weak_fails);
	lp_bytes_put_number(&all, o->limits.executions);
	lp_keep_put_options(o, &all);
	lp_watch_write(o->watch, &facts);
	lp_bytes_put_string(&all, facts.at, facts.count);
	e->describe(e->closure, &all);
	lp_team_send_to_others(s->team, LP_TEAM_ERRAND, &all);
	lp_free(all.at);
	lp_free(facts.at);
}

static void get_options(struct lp_explore_options *o, struct lp_cursor *from, struct lp_arena *arena)
{
	uint8_t model, weak_fails;

	lp_cursor_get(from, &model, sizeof model);
	lp_cursor_get(from, &weak_fails, sizeof weak_fails);
	o->model = (enum lp_model)model;
	o->weak_fails = weak_fails;
	o->limits.executions = lp_cursor_number(from, UINT64_MAX);
	lp_keep_get_options(o, from, arena);
}

/* Takes part in one pass. Rank 0 decides whether there is another one, and with which options. */
static void take_part(struct lp_pass *a, const struct lp_cursor *facts)
{
	const unsigned watched = lp_reductions_watch(&a->options.reduce) & a->watches;
	struct lp_answers *answers = watched & LP_WATCHES_ANSWERS ? lp_answers_open(lp_explore_is_shared(&a->options)) : NULL;
	enum lp_pass_end end;

	a->options.watch = lp_watch_open(&a->options, a->watches, answers);
	if (!a->options.watch)
		lp_team_cannot_follow(a->options.team, "there is no memory");
	if (!lp_watch_begin_with(a->options.watch, facts->at, facts->left))
		LP_BUG("facts of rank 0 cannot be read");
	lp_team_explore(a, &end);
	lp_watch_close(a->options.watch);
	lp_answers_close(answers);
}

void lp_team_serve(struct lp_team *t, const struct lp_team_errands *e, struct lp_program *program, const struct lp_explore_options *options)
{
	for (;;) {
		struct lp_arena arena = { 0 };
		struct lp_exploration out = { .verdict = LP_VERIFIED };
		struct lp_pass a = { .program = program, .options = *options, .arena = &arena, .out = &out, .watches = LP_WATCHES_GRAPHS };
		struct lp_message m;
		lp_team_await(t, &m); /* ends this process, too, when rank 0 is done */
		if (m.tag != LP_TEAM_ERRAND)
			lp_team_cannot_follow(t, "it is told to explore, but not what");
		struct lp_cursor from = { m.bytes, m.size, false };
		get_options(&a.options, &from, &arena);
		const struct lp_cursor facts = lp_cursor_string(&from);
		if (from.bad || !e->prepare(e->closure, &a.options, &from) || !lp_cursor_ended(&from))
			LP_BUG("what rank 0 is exploring cannot be read");
		take_part(&a, &facts);
		lp_message_drop(&m);
		lp_arena_close(&arena);
	}
}
