/* team_lead.c -- rank 0: moves work between machines, and decides when to stop. */
#include "explore/parallel/team_session.h"

#include <stdio.h>

#include "base/error.h"
#include "ranks/records.h"

static const double PATIENCE = 0.02; /* seconds that a machine has to answer a request for work; then another one is
                                      * asked, too */
static const double TELL_EVERY = 0.1;

static void serve(struct lp_team_session *s, uint32_t machine)
{
	struct lp_pool_piece piece;
	struct lp_team_work w;

	if (!lp_pool_try_take(s->pool, machine, &piece))
		return;
	memset(&w, 0, sizeof w);
	w.part = piece.number;
	w.visited = piece.visited;
	w.end = piece.end;
	LP_HOLDS(s->machine[machine].hungry && !s->machine[machine].gone);
	s->machine[machine].hungry = false;
	s->machine[machine].wanted = 0;
	s->machine[machine].told.left += piece.end - piece.visited;
	s->bytes.count = 0;
	lp_bytes_put(&s->bytes, &w, sizeof w);
	lp_bytes_put(&s->bytes, piece.bytes, piece.size);
	lp_team_send(s, machine, LP_TEAM_WORK, &s->bytes);
}

static void serve_all(struct lp_team_session *s)
{
	for (uint32_t i = 0; i < s->team->count; i++)
		if (s->machine[i].hungry)
			serve(s, i);
}

/* The machine with the most work left, of those that were not asked yet. */
static uint32_t richest(const struct lp_team_session *s)
{
	uint32_t best = s->team->count;

	for (uint32_t i = 0; i < s->team->count; i++)
		if (!s->machine[i].hungry && s->machine[i].wanted <= 0 &&
		    (best == s->team->count || s->machine[i].told.left > s->machine[best].told.left))
			best = i;
	return best;
}

/* Asks as many machines to give work away as wait for work.  If a machine does not answer, it
 * may have nothing to give, and another one is asked. */
static void want(struct lp_team_session *s, double now)
{
	uint32_t hunger = lp_pool_hunger(s->pool);

	for (uint32_t i = 0; i < s->team->count && hunger; i++)
		hunger -= s->machine[i].wanted > 0 && now < s->machine[i].wanted + PATIENCE;
	for (uint32_t i; hunger && (i = richest(s)) < s->team->count; hunger--) {
		s->machine[i].wanted = now;
		lp_team_send(s, i, LP_TEAM_WANT, NULL);
	}
}

static void accept(struct lp_team_session *s, uint32_t machine, struct lp_cursor *from)
{
	struct lp_team_work w;
	struct lp_bytes item = { 0 };

	s->machine[machine].wanted = 0;
	lp_cursor_get(from, &w, sizeof w);
	struct lp_cursor after = lp_cursor_string(from);
	lp_bytes_put(&item, from->at, from->left);
	if (!lp_pool_accept(s->pool, w.part, &item, w.visited, &after))
		lp_pool_give_up(s->pool, "too many parts of the exploration wait");
	lp_free(item.at);
	serve_all(s);
}

static void cancel_rest(struct lp_team_session *s)
{
	uint32_t machine;

	for (lp_piece n = 0; (n = lp_pool_next_cancelled(s->pool, n, &machine)) != LP_NO_PIECE;)
		lp_ranks_send(s->team->ranks, s->team->rank[machine], LP_TEAM_CANCEL, &n, sizeof n);
}

static void finish_part(struct lp_team_session *s, struct lp_cursor *from)
{
	const uint32_t part = lp_cursor_u32(from);
	const bool failed = lp_cursor_u32(from);

	if (!lp_pool_finish_part(s->pool, part, failed, from))
		LP_BUG("the result of another rank cannot be read");
	cancel_rest(s);
}

static void note_told(struct lp_team_session *s, uint32_t machine, struct lp_cursor *from)
{
	const uint64_t limit = s->pass->options.limits.executions;
	uint64_t counted = s->before.executions;

	lp_cursor_get(from, &s->machine[machine].told, sizeof s->machine->told);
	for (uint32_t i = 0; i < s->team->count; i++)
		counted += s->machine[i].told.counted;
	if (limit && counted >= limit)
		lp_pool_stop(s->pool, LP_POOL_EXECUTIONS);
}

static void note_stopped(struct lp_team_session *s, struct lp_cursor *from)
{
	const uint32_t why = lp_cursor_u32(from);
	char *text = lp_cursor_text(from);

	LP_HOLDS(why > LP_POOL_RUNS && why <= LP_POOL_TORN);
	if (why == LP_POOL_GAVE_UP && text)
		lp_pool_give_up(s->pool, text);
	if ((why == LP_POOL_LOST || why == LP_POOL_TORN) && text)
		snprintf(s->workers.loss, sizeof s->workers.loss, "%s", text);
	if (why == LP_POOL_TORN)
		lp_pool_discard(s->pool);
	lp_pool_stop(s->pool, (enum lp_pool_stop)why);
	lp_free(text);
}

static void answer(struct lp_team_session *s, uint32_t machine, struct lp_cursor *from)
{
	const struct lp_shared_class *shared = s->pass->program->class->shared;

	s->bytes.count = 0;
	if (!shared || !shared->answer(s->pass->program, from, &s->bytes))
		LP_BUG("ranks disagree about the names of threads and locks");
	lp_team_send(s, machine, LP_TEAM_ANSWER, &s->bytes);
}

static void note_last(struct lp_team_session *s, uint32_t machine, struct lp_cursor *from)
{
	LP_HOLDS(!s->machine[machine].gone);
	lp_team_merge_known(s, machine, from);
	s->gone += !s->machine[machine].gone;
	s->machine[machine].gone = true;
}

void lp_team_progress(struct lp_team_session *s, struct lp_progress *out)
{
	double left = 0;

	*out = (struct lp_progress){ s->before.executions, s->before.blocked, 0 };
	for (uint32_t i = 0; i < s->team->count; i++) {
		out->executions += s->machine[i].told.executions;
		out->blocked += s->machine[i].told.blocked;
		left += s->machine[i].told.left;
	}
	if (left > 0 && left < 1)
		out->estimate = (double)out->executions / (1 - left);
}

static void ask_for_copies(struct lp_team_session *s)
{
	lp_team_copy_begin(s);
	for (uint32_t i = 0; i < s->team->count; i++)
		lp_team_send(s, i, LP_TEAM_COPY, NULL);
}

static void stop_all(struct lp_team_session *s, uint32_t why)
{
	if (s->pass->options.limits.keep && lp_pool_keeps_rest(s->pool)) /* the other machines know
	                                                                  * this, too */
		lp_team_copy_begin(s);
	for (uint32_t i = 0; i < s->team->count; i++)
		lp_ranks_send(s->team->ranks, s->team->rank[i], LP_TEAM_STOP, &why, sizeof why);
}

/* Checks the time, and whether the user has interrupted the exploration; then moves work.  Tells all machines
 * if there is a reason to stop. */
void lp_team_lead(struct lp_team_session *s, double now)
{
	const struct lp_explore_options *o = &s->pass->options;
	struct lp_progress sums;

	LP_HOLDS(!s->team->self && s->gone <= s->team->count);
	if (o->limits.deadline > 0 && now > o->limits.deadline)
		lp_pool_stop(s->pool, LP_POOL_TIME);
	if (now >= s->last_progress + TELL_EVERY) {
		s->last_progress = now;
		lp_team_progress(s, &sums);
		if (o->callbacks.progress && !o->callbacks.progress(o->callbacks.closure, &sums))
			lp_pool_stop(s->pool, LP_POOL_INTERRUPTED);
	}
	const uint32_t why = lp_pool_stopped(s->pool);
	if (why == LP_POOL_RUNS)
		want(s, now);
	if (s->copying.runs) /* STOP asks for copies, too */
		return;
	if (why != LP_POOL_RUNS)
		stop_all(s, why);
	else if (lp_team_copy_is_due(s, now))
		ask_for_copies(s);
}

bool lp_team_note(struct lp_team_session *s, uint32_t machine, enum lp_team_tag tag, struct lp_cursor *from)
{
	LP_HOLDS(machine < s->team->count);
	switch (tag) {
	case LP_TEAM_ASK:
		s->machine[machine].hungry = true;
		serve(s, machine);
		return true;
	case LP_TEAM_GIVE:
		accept(s, machine, from);
		return true;
	case LP_TEAM_FAILING:
		lp_pool_foresee(s->pool, lp_cursor_u32(from));
		cancel_rest(s);
		return true;
	case LP_TEAM_PART:
		finish_part(s, from);
		return true;
	case LP_TEAM_TELL:
		note_told(s, machine, from);
		return true;
	case LP_TEAM_STOPPED:
		note_stopped(s, from);
		return true;
	case LP_TEAM_REQUEST:
		answer(s, machine, from);
		return true;
	case LP_TEAM_COPIED:
		lp_team_note_copy(s, machine, from);
		return true;
	case LP_TEAM_LAST:
		note_last(s, machine, from);
		return true;
	default:
		return false;
	}
}
