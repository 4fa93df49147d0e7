/* keep.c -- an exploration as bytes.
 *
 *     options      the reductions in use, and what restarts have changed
 *     facts        a string (restarts.h)
 *     work         open_work.h
 */
#include "explore/keep.h"

#include "base/error.h"
#include "ranks/records.h"
#include "explore/clock.h"
#include "explore/ops.h"
#include "explore/parallel/open_work.h"
#include "explore/parallel/team.h"
#include "explore/reduce/facts/answers.h"

enum { PARTS = 1 << 20 };

bool lp_keep_is_due(const struct lp_keep *k)
{
	return lp_clock_seconds() >= k->next;
}

void lp_keep_put_options(const struct lp_explore_options *o, struct lp_bytes *to)
{
	const uint8_t flags[] = {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) o->reduce.field,
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
		o->reduce.recognised, o->reduce.stores_seen, (uint8_t)o->brief, (uint8_t)o->reduce.careful,
	};

	lp_bytes_put(to, flags, sizeof flags);
	lp_bytes_put_number(to, o->parts.count);
	for (uint32_t i = 0; i < o->parts.count; i++) {
		lp_bytes_put_number(to, o->parts.at[i].address);
		lp_bytes_put_number(to, o->parts.at[i].size);
	}
}

static uint8_t get_flag(struct lp_cursor *from, uint8_t most)
{
	uint8_t flag;

	lp_cursor_get(from, &flag, sizeof flag);
	from->bad |= flag > most;
	return from->bad ? 0 : flag;
}

void lp_keep_get_options(struct lp_explore_options *o, struct lp_cursor *from, struct lp_arena *arena)
{
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) o->reduce.field = get_flag(from, true);
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	o->reduce.recognised = get_flag(from, true);
	o->reduce.stores_seen = get_flag(from, true);
	o->brief = get_flag(from, LP_BRIEF);
	o->reduce.careful = get_flag(from, LP_CAREFUL);
	const uint32_t count = (uint32_t)lp_cursor_number(from, PARTS);
	struct lp_range *parts = arena ? lp_arena_alloc(arena, sizeof *parts * (count + 1)) : NULL;
	for (uint32_t i = 0; i < count && !from->bad; i++) {
		const uintptr_t address = lp_cursor_u64(from);
		const uint32_t size = (uint32_t)lp_cursor_number(from, UINT32_MAX);
		if (parts)
			parts[i] = (struct lp_range){ address, size };
	}
	o->parts.at = parts;
	o->parts.count = parts ? count : 0;
}

void lp_keep_pass(const struct lp_pass *a, const struct lp_open_work *work)
{
	struct lp_keep *k = a->options.limits.keep;
	struct lp_bytes all = { 0 }, facts = { 0 };

	LP_HOLDS(a->options.watch && k->take);

	lp_keep_put_options(&a->options, &all);
	lp_watch_write(a->options.watch, &facts);
	lp_bytes_put_string(&all, facts.at, facts.count);
	lp_open_work_write(work, &all);
	LP_AGREES(lp_keep_is_whole(&a->options, (struct lp_cursor){ .at = all.at, .left = all.count }));
	k->take(k->closure, &all);
	k->next = lp_clock_seconds() + k->every;
	lp_free(all.at);
	lp_free(facts.at);
}

/* Are the bytes facts that can be merged with others? */
static bool are_facts(const struct lp_explore_options *o, const struct lp_cursor *facts)
{
	const unsigned watches = lp_reductions_watch(&o->reduce) & LP_WATCHES_GRAPHS;
	struct lp_answers *answers = watches & LP_WATCHES_ANSWERS ? lp_answers_open(false) : NULL;
	struct lp_watch *w = lp_watch_open(o, LP_WATCHES_GRAPHS, answers);
	const bool good = w && lp_watch_merge(w, facts->at, facts->left);

	lp_watch_close(w);
	lp_answers_close(answers);
	return good;
}

bool lp_keep_is_whole(const struct lp_explore_options *options, struct lp_cursor from)
{
	struct lp_explore_options o = *options;
	struct lp_open_work work;

	lp_keep_get_options(&o, &from, NULL);
	const struct lp_cursor facts = lp_cursor_string(&from);
	const bool whole = !from.bad && are_facts(&o, &facts) && lp_open_work_read(&work, &from);
	if (whole)
		lp_open_work_drop(&work);
	return whole && lp_cursor_ended(&from);
}

void lp_keep_begin(struct lp_pass *a, struct lp_open_work *work)
{
	struct lp_explore_options *o = &a->options;

	*work = (struct lp_open_work){ 0 };
	if (!o->limits.keep || !o->limits.keep->from.left)
		return;
	struct lp_cursor from = o->limits.keep->from;
	o->limits.keep->from = (struct lp_cursor){ 0 };
	lp_keep_get_options(o, &from, a->arena);
	if (o->brief == LP_BRIEF && lp_team_is_together(o->team)) {
		o->brief = LP_BRIEF_NEVER; /* on several machines there are no brief looks: the pass after the look begins */
		return;
	}
	a->kept = lp_cursor_string(&from);
	const bool whole = lp_open_work_read(work, &from);
	LP_HOLDS(whole && !from.bad); /* lp_keep_is_whole() has checked the bytes */
	a->from = work;
}

void lp_keep_facts(const struct lp_pass *a)
{
	if (a->from)
		lp_watch_begin_with(a->options.watch, a->kept.at, a->kept.left);
}
