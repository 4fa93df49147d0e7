/* team.c -- an exploration on several machines. */
#define _GNU_SOURCE
#include "explore/parallel/team.h"

#include "base/error.h"
#include "base/hash.h"
#include "explore/clock.h"
#include "explore/graph/grow.h"
#include "explore/graph/walk.h"
#include "explore/parallel/item.h"
#include "explore/parallel/open_work.h"
#include "explore/parallel/team_session.h"

enum { CANNOT_FOLLOW = 3, PATIENCE = 5 };
static const double TICK = 0.002;         /* seconds between looks at the workers */
static const double FIRST_FACTS = 0.05;   /* before the first exchange of facts */

/* ---- the team ---- */

struct lp_team *lp_team_open(struct lp_ranks *r, double alone)
{
	struct lp_team *t = lp_alloc_zero(1, sizeof *t);

	t->ranks = r;
	t->alone = alone;
	t->rank = lp_alloc(sizeof *t->rank * lp_ranks_count(r));
	for (uint32_t i = 0; i < lp_ranks_count(r); i++) {
		if (lp_ranks_leader(r, i) != i)
			continue;
		if (i == lp_ranks_self(r))
			t->self = t->count;
		t->rank[t->count++] = i;
	}
	if (t->count > 1 && lp_ranks_leads(r))
		return t;
	lp_team_close(t);
	return NULL;
}

void lp_team_close(struct lp_team *t)
{
	if (!t)
		return;
	lp_free(t->rank);
	lp_free(t);
}

bool lp_team_is_together(const struct lp_team *t)
{
	return t && !t->over;
}

bool lp_team_follows(const struct lp_team *t)
{
	return lp_team_is_together(t) && t->self;
}

void lp_team_dismiss(struct lp_team *t)
{
	if (!lp_team_is_together(t))
		return;
	t->over = true;
	if (t->self)
		lp_ranks_await_end(t->ranks);
	lp_ranks_dismiss(t->ranks);
}

void lp_team_end_exploration(struct lp_team *t, const struct lp_exploration *out)
{
	if (out->verdict != LP_VERIFIED && !t->errands)
		lp_team_dismiss(t);
}

void lp_team_send(const struct lp_team_session *s, uint32_t machine, enum lp_team_tag tag, const struct lp_bytes *bytes)
{
	lp_ranks_send(s->team->ranks, s->team->rank[machine], tag, bytes ? bytes->at : NULL, bytes ? bytes->count : 0);
}

/* Sends a message to rank 0. */
void lp_team_report(const struct lp_team_session *s, enum lp_team_tag tag, const struct lp_bytes *bytes)
{
	lp_team_send(s, 0, tag, bytes);
}

static uint32_t machine_of(const struct lp_team_session *s, uint32_t rank)
{
	uint32_t i = 0;

	while (i < s->team->count && s->team->rank[i] != rank)
		i++;
	return i;
}

void lp_team_cannot_follow(const struct lp_team *t, const char *why)
{
	lp_ranks_abort(t->ranks, CANNOT_FOLLOW, "rank %u cannot explore with the others: %s; there is no verdict", t->rank[t->self], why);
}

/* ---- the beginning ---- */

/* A hash of what the explorations of two machines must have in common. */
static uint64_t digest_of(const struct lp_pass *a)
{
	const struct lp_explore_options *o = &a->options;
	const struct lp_shared_class *shared = a->program->class->shared;
	uint64_t h = shared ? shared->digest(a->program) : 0;

	h = lp_mix(h ^ o->model) + o->races_ignored + 2 * o->weak_fails + 4 * o->reduce.recognised + 8 * o->reduce.stores_seen + 16 * o->reduce.careful;
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) h = lp_mix(h + o->reduce.field);
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	for (uint32_t i = 0; i < o->parts.count; i++)
		h = lp_mix(h ^ o->parts.at[i].address ^ (uint64_t)o->parts.at[i].size << 56);
	return lp_mix(h ^ o->limits.steps ^ (uint64_t)o->limits.unroll << 32) ^ o->limits.fair;
}

void lp_team_await(struct lp_team *t, struct lp_message *m)
{
	while (!lp_ranks_receive(t->ranks, m, -1))
		;
}

/* Rank 0 tells the others what is explored next, and they compare this with what they are about to
 * explore. */
static bool agree_on_start(struct lp_team_session *s, bool alone)
{
	struct lp_team *t = s->team;
	struct lp_team_start ours = { ++t->sequence, digest_of(s->pass), alone }, theirs;
	struct lp_message m;

	for (uint32_t i = 1; !t->self && i < t->count; i++)
		lp_ranks_send(t->ranks, t->rank[i], LP_TEAM_START, &ours, sizeof ours);
	if (!t->self)
		return alone;
	lp_team_await(t, &m);
	if (m.tag == LP_TEAM_START && m.size == sizeof theirs)
		memcpy(&theirs, m.bytes, sizeof theirs);
	if (m.tag != LP_TEAM_START || m.size != sizeof theirs || ours.sequence != theirs.sequence || ours.digest != theirs.digest)
		lp_team_cannot_follow(t, "its program is loaded at other addresses, or it explores something else");
	lp_message_drop(&m);
	if (s->pass->program->class->shared)
		s->pass->program->class->shared->follow(s->pass->program);
	return theirs.alone;
}

/* The time in which rank 0 explores alone.  It ends at `until`.  If the remaining work is to be kept, a limit ends it, too: the work is
 * kept when all machines stop. */
struct beginning {
	const struct lp_explore_options *options;
	double until;
	bool ends;      /* the time is over, or the user has interrupted the exploration */
	uint32_t since; /* calls of is_patient() since then */
};

/* Called between two executions. */
static bool goes_on_alone(struct lp_explorer *x)
{
	const struct beginning *b = x->walk.between_closure;
	const uint64_t limit = b->options->limits.keep ? b->options->limits.executions : 0;

	return !b->ends && lp_clock_seconds() < b->until && !(limit && x->out->executions >= limit);
}

/* Called every 100 ms: ends an execution that takes too long. */
static bool is_patient(void *closure, const struct lp_progress *p)
{
	struct beginning *b = closure;
	const struct lp_explore_options *o = b->options;

	b->ends |= (o->limits.deadline > 0 && lp_clock_seconds() > o->limits.deadline) || (o->callbacks.progress && !o->callbacks.progress(o->callbacks.closure, p));
	return !b->ends || b->since++ < PATIENCE;
}

/* Returns false if the time was not enough; then the remaining work is an item. */
static bool explore_alone(struct lp_team_session *s, enum lp_pass_end *end)
{
	const struct lp_pass *a = s->pass;
	struct beginning b = { .options = &a->options, .until = lp_clock_seconds() + s->team->alone };
	struct lp_explore_options own = a->options;
	struct lp_explorer x;

	if (own.limits.keep) {
		own.limits.deadline = 0;
		own.limits.executions = 0;
		own.callbacks.progress = is_patient;
		own.callbacks.closure = &b;
	}
	lp_explorer_open(&x, a->program, &own, a->arena, a->out);
	x.walk.between = goes_on_alone;
	x.walk.between_closure = &b;
	const bool visited = lp_walk(&x, false), stopped = x.stopped;
	if (!visited && !stopped) {
		lp_omitted_finish(&x); /* this work is not repeated, so all facts from it must be recorded */
		lp_item_write_rest(&x, &s->rest);
	}
	if (visited && lp_mixed_doubt(x.parts))
		lp_explorer_stop(&x, lp_mixed_doubt(x.parts));
	a->out->estimate = visited ? (double)a->out->executions : lp_walk_estimate(&x);
	lp_explorer_close(&x);
	s->before = *a->out;
	*end = stopped ? LP_PASS_STOPPED : LP_PASS_DONE;
	return visited || stopped;
}

/* ---- messages ---- */

static void add_work(struct lp_team_session *s, struct lp_cursor *from)
{
	struct lp_team_work w;

	lp_cursor_get(from, &w, sizeof w);
	s->asked = false;
	s->hungry_since = 0;
	lp_pool_want(s->workers.pool, 0); /* forgets requests from the time when there was no work */
	if (!lp_pool_add(s->workers.pool, w.part, &(struct lp_pool_piece){ 0, from->at, from->left, w.visited, w.end }))
		lp_team_report_stop(s, LP_POOL_GAVE_UP, "too many parts of the exploration wait on one machine");
}

static struct lp_team_conclusion get_conclusion(struct lp_program *program, struct lp_cursor *from)
{
	const struct lp_shared_class *shared = program->class->shared;
	struct lp_cursor seen = { .bad = false };
	struct lp_team_conclusion c;

	lp_cursor_get(from, &c, sizeof c);
	seen.left = c.seen;
	seen.at = lp_cursor_take(from, seen.left);
	if (from->bad || (shared && !shared->merge_seen(program, &seen)))
		LP_BUG("the conclusion of rank 0 cannot be read");
	return c;
}

static void note_conclusion(struct lp_team_session *s, struct lp_cursor *from)
{
	s->conclusion = get_conclusion(s->pass->program, from);
	lp_team_merge_facts(s, from->at, from->left);
	s->concluded = true;
}

static void learn_names(struct lp_team_session *s, struct lp_cursor *from)
{
	const struct lp_shared_class *shared = s->pass->program->class->shared;

	if (!shared || !shared->learn(s->pass->program, from))
		LP_BUG("names that rank 0 has handed out cannot be read");
}

/* Handles a message from rank 0 to this machine. */
static void obey(struct lp_team_session *s, enum lp_team_tag tag, struct lp_cursor *from)
{
	switch (tag) {
	case LP_TEAM_WORK:
		add_work(s, from);
		break;
	case LP_TEAM_WANT:
		lp_pool_want(s->workers.pool, 1);
		break;
	case LP_TEAM_CANCEL:
		lp_pool_cancel(s->workers.pool, lp_cursor_u32(from));
		break;
	case LP_TEAM_ANSWER:
		learn_names(s, from);
		break;
	case LP_TEAM_COPY:
		lp_team_report_copy(s);
		break;
	case LP_TEAM_STOP:
		s->stop = true;
		s->why = (enum lp_pool_stop)lp_cursor_u32(from);
		break;
	case LP_TEAM_CONCLUDE:
		note_conclusion(s, from);
		break;
	default:
		LP_BUG("message %d of another rank is not expected", (int)tag);
	}
}

static void heed(struct lp_team_session *s, uint32_t machine, struct lp_message *m)
{
	struct lp_cursor from = { m->bytes, m->size, false };

	if (m->tag == LP_TEAM_FACTS)
		lp_team_merge_facts(s, m->bytes, m->size);
	else if (s->team->self || !lp_team_note(s, machine, (enum lp_team_tag)m->tag, &from))
		obey(s, (enum lp_team_tag)m->tag, &from);
	lp_message_drop(m);
}

/* Waits for a message, and handles all that have arrived.  Messages after the conclusion belong to the next pass. */
static void receive(struct lp_team_session *s, int milliseconds)
{
	struct lp_message m;

	for (; !s->concluded && lp_ranks_receive(s->team->ranks, &m, milliseconds); milliseconds = 0) {
		const uint32_t machine = machine_of(s, m.from);
		if (machine == s->team->count)
			LP_BUG("a message from rank %u, which leads no machine", m.from);
		if (!lp_team_copy_holds_back(s, machine, &m))
			heed(s, machine, &m);
		while (lp_team_copy_next(s, &m))
			heed(s, machine_of(s, m.from), &m);
	}
}

/* ---- a pass ---- */

static void run(struct lp_team_session *s)
{
	while (!s->stop) {
		const double now = lp_clock_seconds();
		lp_workers_look_after(&s->workers);
		lp_team_report_parts(s);
		lp_team_give(s);
		lp_team_ask(s, now);
		lp_team_ask_for_names(s);
		lp_team_tell(s, now);
		lp_team_look_for_reasons(s);
		lp_team_exchange_facts(s, now);
		if (!s->team->self)
			lp_team_lead(s, now);
		receive(s, (int)(1000 * TICK));
	}
}

/* Ends the workers, and sends their counts and all facts to rank 0. */
static void finish(struct lp_team_session *s)
{
	lp_pool_stop(s->workers.pool, s->why);
	lp_workers_await_end(&s->workers);
	if (lp_pool_is_discarded(s->workers.pool))
		lp_team_report_stop(s, LP_POOL_TORN, s->workers.loss);
	if (s->pass->options.limits.keep && lp_pool_stop_keeps_rest(s->why))
		lp_team_report_copy(s);
	lp_pool_end_parts(s->workers.pool);
	lp_team_report_parts(s);
	s->bytes.count = 0;
	lp_team_put_known(s);
	lp_team_report(s, LP_TEAM_LAST, &s->bytes);
}

/* Writes how an exploration has ended, and what the program was seen to do. */
static void put_conclusion(struct lp_program *program, const struct lp_exploration *out, uint32_t end, struct lp_bytes *to)
{
	const struct lp_shared_class *shared = program->class->shared;
	struct lp_team_conclusion c;

	memset(&c, 0, sizeof c);
	c.end = end;
	c.verdict = out->verdict;
	c.doubtful = out->doubtful;
	lp_bytes_put(to, &c, sizeof c);
	if (shared)
		shared->write_seen(program, to);
	c.seen = to->count - (uint32_t)sizeof c;
	memcpy(to->at, &c, sizeof c);
}

void lp_team_send_to_others(const struct lp_team *t, enum lp_team_tag tag, const struct lp_bytes *bytes)
{
	for (uint32_t i = 1; i < t->count; i++)
		lp_ranks_send(t->ranks, t->rank[i], tag, bytes->at, bytes->count);
}

/* Tells the others how the pass has ended, and all facts. */
static void tell_conclusion(struct lp_team_session *s, enum lp_pass_end end)
{
	struct lp_bytes all = { 0 };

	put_conclusion(s->pass->program, s->pass->out, end, &all);
	lp_watch_write(s->pass->options.watch, &all);
	lp_team_send_to_others(s->team, LP_TEAM_CONCLUDE, &all);
	lp_free(all.at);
}

static enum lp_pass_end conclude(struct lp_team_session *s)
{
	while (s->gone < s->team->count)
		receive(s, -1);
	lp_team_progress(s, &s->workers.progress);
	const enum lp_pass_end end = lp_workers_conclude(&s->workers, s->pool, s->pass);
	tell_conclusion(s, end);
	return end;
}

/* Waits for the conclusion of rank 0, and takes it over.  Other machines have nothing to report. */
static enum lp_pass_end await_conclusion(struct lp_team_session *s)
{
	while (!s->concluded)
		receive(s, -1);
	*s->pass->out = (struct lp_exploration){ .verdict = (enum lp_verdict)s->conclusion.verdict, .doubtful = s->conclusion.doubtful };
	return (enum lp_pass_end)s->conclusion.end;
}

/* Opens the pool of machines with the remaining work of rank 0, or with a checkpoint. */
static void open_pool(struct lp_team_session *s)
{
	const struct lp_open_work *from = s->pass->from;
	struct lp_exploration *b = &s->before;
	struct lp_open_work rest;
	const struct lp_pool_counts resumed = from ? lp_open_work_counts(from) : (struct lp_pool_counts){ 0 };

	lp_open_work_all(&rest, &s->rest);
	s->pool = lp_pool_open(s->team->count, from ? from : &rest);
	lp_open_work_drop(&rest);
	s->machine = lp_alloc_zero(s->team->count, sizeof *s->machine);
	if (s->pool && from)
		*b = (struct lp_exploration){ .executions = resumed.executions, .blocked = resumed.blocked };
	else if (s->pool)
		lp_pool_begin_with(s->pool, &(struct lp_pool_counts){ b->executions, b->blocked, b->abandoned, b->cut, b->left, b->left_pc },
				   b->outcomes, b->outcome_count);
}

static bool open_session(struct lp_team_session *s)
{
	s->workers.pool = lp_pool_open(s->pass->options.jobs, NULL);
	if (!s->team->self)
		open_pool(s);
	if (!s->workers.pool || (!s->team->self && !s->pool))
		return false;
	lp_workers_start(&s->workers);
	return s->workers.count;
}

static void close_session(struct lp_team_session *s)
{
	lp_team_copy_drop(s);
	lp_free(s->workers.at);
	lp_free(s->machine);
	lp_free(s->bytes.at);
	lp_free(s->rest.at);
	if (s->workers.pool)
		lp_pool_close(s->workers.pool);
	if (s->pool)
		lp_pool_close(s->pool);
}

/* Explores with all machines.  Returns false if this machine has no memory, or cannot create
 * processes. */
static bool explore_together(struct lp_team_session *s, enum lp_pass_end *end)
{
	const bool opened = open_session(s);

	if (!opened && s->team->self)
		lp_team_cannot_follow(s->team, "there is no memory, or no process");
	if (opened) {
		if (!s->team->self) {
			lp_team_describe(s);
			agree_on_start(s, false);
		}
		run(s);
		finish(s);
		*end = s->team->self ? await_conclusion(s) : conclude(s);
	}
	return opened;
}

bool lp_team_explore(const struct lp_pass *a, enum lp_pass_end *end)
{
	struct lp_team *t = a->options.team;
	struct lp_team_session s = { .team = t, .pass = a, .workers = { .program = a->program, .options = &a->options },
			     .facts_pause = FIRST_FACTS, .last_facts = lp_clock_seconds() };
	bool done = true;

	if (t->self && agree_on_start(&s, false)) {
		*end = await_conclusion(&s);
	} else if (!t->self && !a->from && explore_alone(&s, end)) {
		if (!t->errands) {
			agree_on_start(&s, true);
			tell_conclusion(&s, *end);
		}
	} else {
		done = explore_together(&s, end);
		if (!done)
			lp_team_dismiss(t);
	}
	close_session(&s);
	return done;
}

/* ---- explorations by rank 0 alone ---- */

static void learn_result(struct lp_team *t, struct lp_program *program, struct lp_exploration *out, bool *all)
{
	struct lp_message m;

	lp_team_await(t, &m);
	if (m.tag != LP_TEAM_LOOKED)
		lp_team_cannot_follow(t, "it explores something else");
	const struct lp_team_conclusion c = get_conclusion(program, &(struct lp_cursor){ m.bytes, m.size, false });
	lp_message_drop(&m);
	*out = (struct lp_exploration){ .verdict = (enum lp_verdict)c.verdict };
	*all = c.end;
}

void lp_team_share(struct lp_team *t, struct lp_program *program, struct lp_exploration *out, bool *all)
{
	struct lp_bytes bytes = { 0 };

	if (!lp_team_is_together(t) || t->errands)
		return;
	if (t->self) {
		learn_result(t, program, out, all);
	} else {
		put_conclusion(program, out, *all, &bytes);
		lp_team_send_to_others(t, LP_TEAM_LOOKED, &bytes);
		lp_free(bytes.at);
	}
	if (*all)
		lp_team_end_exploration(t, out);
}
