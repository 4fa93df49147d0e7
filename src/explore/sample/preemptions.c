/* preemptions.c -- all executions of schedules with few preemptions.
 *
 * Musuvathi and Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded
 * Programs", PLDI 2007: most bugs show in a schedule that takes the processor from a thread
 * which could go on only once or twice, and there are far fewer such schedules.  Model sc.
 *
 * A schedule is a sequence of accesses, each reading or overwriting the latest write.  A
 * preemption is a switch away from a thread that could perform its next access; switching
 * away from one that has ended, waits, or spins is free.  An operation that is not an access
 * (spawning, joining a thread that has ended, a fence, the end) is performed together with the
 * access before it: a switch just before it could as well come just after it.  We search
 * depth-first, first with no preemptions, then with one, ..., so that an error is found with
 * the fewest preemptions.
 *
 * States.  What can follow depends on the graph so far, on the thread that ran last (if it
 * can continue), and on how many preemptions are left.  A state is not visited if a visited
 * one covers everything it can lead to: for the same graph
 *
 *     (u, k)       covers (t, k')   if k <= k' and u = t, or k < k': switch to t first;
 *     (none, k)    covers (t, k')   if k <= k': any switch is free.
 *
 * Threads that spin.  The search does not continue after an iteration that changed nothing
 * (redundant_attempts.h): the schedule without it exists and has no more preemptions.  If in addition
 * all values it read were the latest, the thread spins at the graph without the iteration: leaving it
 * there is free, as if it waited; but it may begin, because other threads may write in the middle of the
 * iteration.  That it spins is remembered by graph and thread, because the iteration may lead to a
 * state that was visited before, from which it was already finished.
 */
#include "explore/explore.h"

#include <stdio.h>
#include <string.h>

#include "explore/graph/seen.h"
#include "explore/reduce/driver.h"
#include "explore/restarts.h"
#include "explore/sample/act.h"

#define NOBODY UINT32_MAX
#define ANYBODY (UINT32_MAX - 1)

struct decision {
	lp_tid thread;
	uint32_t way;
	uint32_t op; /* the number of its operation; NOBODY: the thread had met an error */
};

/* A state on the path, with what can be done next. */
struct point {
	uint32_t events, seq;         /* of the graph there */
	struct lp_fingerprint print;
	lp_tid current;               /* ran last and can go on; or NOBODY */
	uint32_t used;                /* preemptions */
	uint32_t first, next, end;    /* in `decisions`; the current thread's come first */
	bool number;                  /* all that is open is which number is chosen */
};

struct search {
	struct lp_explorer x;
	uint32_t bound;
	bool cut;                     /* the bound kept us from something */
	uint32_t used;                /* where we are */
	struct lp_fingerprint print;  /* of the graph, events up to `printed` */
	uint32_t printed;
	struct { LP_VEC(struct point); } points;
	struct { LP_VEC(struct decision); } decisions;
	struct lp_ways ways;
	struct lp_seen visited;       /* states: the fewest preemptions */
	struct lp_seen spins;         /* graph and thread: 0, or 1 + the numbers chosen */
	struct lp_seen ends;          /* whole executions */
	bool *spinning;
	uint32_t *choices;
	uint32_t room;
};

static double unknown(const struct lp_explorer *x)
{
	(void)x;
	return 0;
}

static struct lp_fingerprint with(struct lp_fingerprint print, uint32_t thread)
{
	lp_fingerprint_word(&print, thread);
	return print;
}

/* ---- states ---- */

static void print_events(struct search *s)
{
	const struct lp_graph *g = &lp_top(&s->x)->g;

	for (; s->printed < g->ev.count; s->printed++)
		lp_fingerprint_plus(&s->print, lp_graph_event_fingerprint(g, s->printed));
}

static bool is_covered(const struct search *s, lp_tid current, uint32_t used)
{
	const struct lp_seen *v = &s->visited;

	return lp_seen_number(v, with(s->print, NOBODY)) <= used ||
	       (used && lp_seen_number(v, with(s->print, ANYBODY)) <= used - 1) ||
	       (current != NOBODY && lp_seen_number(v, with(s->print, current)) <= used);
}

/* True if the state is to be visited. */
static bool enter(struct search *s, lp_tid current, uint32_t used)
{
	if (is_covered(s, current, used))
		return false;
	lp_seen_put(&s->visited, with(s->print, current), used);
	lp_seen_put(&s->visited, with(s->print, ANYBODY), used);
	return true;
}

/* Does the thread spin at the graph with that fingerprint?  Whatever it chooses? */
static bool spins_at(const struct search *s, struct lp_fingerprint print, lp_tid t)
{
	return lp_seen_number(&s->spins, with(print, t)) != UINT32_MAX;
}

static bool only_spins_at(const struct search *s, struct lp_fingerprint print, lp_tid t)
{
	return lp_seen_number(&s->spins, with(print, t)) == 0;
}

/* ---- points ---- */

/* What thread t can do here.  False on an error. */
static bool add_decisions(struct search *s, lp_tid t)
{
	struct lp_explorer *x = &s->x;
	const struct lp_op *op;

	if (lp_stop_of(x, t, &op) != LP_STOP_NONE)
		return true;
	if (op->kind == LP_OP_ERROR) {
		LP_PUSH(&s->decisions, (struct decision){ t, 0, NOBODY });
		return true;
	}
	const struct lp_move move = { t, op, lp_ops_intern(&x->ops, op), 0 };
	if (!lp_ways_of(x, &move, true, &s->ways))
		return false;
	for (uint32_t i = 0; i < s->ways.count; i++)
		LP_PUSH(&s->decisions, (struct decision){ t, s->ways.at[i], move.id });
	return true;
}

static struct point *push_point(struct search *s, lp_tid current, uint32_t used)
{
	const struct lp_frame *f = lp_top(&s->x);

	LP_PUSH(&s->points, (struct point){
		.events = f->g.ev.count, .seq = f->seq.count, .print = s->print,
		.current = current, .used = used,
		.first = s->decisions.count, .next = s->decisions.count,
	});
	return &LP_LAST(&s->points);
}

/* Any thread may be next.  `current` ran last. */
static void open_point(struct search *s, lp_tid current, uint32_t used)
{
	const struct lp_graph *g = &lp_top(&s->x)->g;

	print_events(s);
	if (current != NOBODY && only_spins_at(s, s->print, current))
		current = NOBODY;
	if (!enter(s, current, used))
		return;
	struct point *p = push_point(s, current, used);
	if (current != NOBODY && !add_decisions(s, current))
		return;
	for (lp_tid t = 0; t < g->threads.count; t++)
		if (t != current && g->threads.at[t].exists && !add_decisions(s, t))
			return;
	p->end = s->decisions.count;
	if (p->end > p->first + 1)
		lp_machine_keep(&s->x.machine);
}

/* The thread chooses a number. */
static void open_number(struct search *s, const struct lp_move *m, uint32_t used)
{
	print_events(s);
	struct point *p = push_point(s, m->thread, used);
	p->number = true;
	for (uint32_t i = 0; i < m->op->count; i++)
		LP_PUSH(&s->decisions, (struct decision){ m->thread, i, m->id });
	p->end = s->decisions.count;
	lp_machine_keep(&s->x.machine);
}

/* ---- going forward ---- */

static bool belongs(const struct lp_graph *g, lp_eid e, lp_tid t, uint32_t from)
{
	const struct lp_event *ev = lp_graph_event(g, e);
	return ev->thread == t && ev->index >= from;
}

/* Would event e of the iteration of thread t that begins at index `from` be the same if the
 * iteration were done now?  And is it of no concern to others? */
static bool is_present(const struct lp_graph *g, lp_eid e, lp_tid t, uint32_t from)
{
	const struct lp_event *ev = lp_graph_event(g, e);
	const struct lp_loc *loc = &g->locs.at[ev->loc];

	if (ev->kind == LP_EV_READ) {
		if (ev->spurious)
			return false;
		for (uint32_t pos = lp_graph_pos(g, ev->rf) + 1; pos <= loc->co.count; pos++)
			if (!belongs(g, lp_graph_at(loc, pos), t, from) &&
			    lp_overlap(ev, lp_graph_event(g, lp_graph_at(loc, pos))))
				return false;
	} else if (ev->kind == LP_EV_WRITE) {
		for (uint32_t i = 0; i < loc->reads.count; i++)
			if (g->ev.at[loc->reads.at[i]].rf == e && !belongs(g, loc->reads.at[i], t, from))
				return false;
	}
	return true;
}

/* An iteration of thread t, from index `from` on, changed nothing.  True if that is
 * an end of this path. */
static bool note_iteration(struct search *s, lp_tid t, uint32_t from)
{
	const struct lp_graph *g = &lp_top(&s->x)->g;
	const struct lp_thread *th = &g->threads.at[t];
	struct lp_fingerprint before;
	bool present = true, waits = false, chose = false;
	uint64_t choices = 0;

	print_events(s);
	before = s->print;
	for (uint32_t i = th->count; i-- > from;) {
		const struct lp_event *e = lp_graph_event(g, th->at[i]);
		const struct lp_op *op = &s->x.ops.op.at[e->op].op;
		lp_fingerprint_minus(&before, lp_graph_event_fingerprint(g, th->at[i]));
		present &= is_present(g, th->at[i], t, from);
		waits |= e->kind == LP_EV_READ && op->otherwise == LP_ELSE_WAIT;
		if (lp_event_chooses(e) && op->count > 1) {
			chose = true;
			choices = choices * op->count + e->value.lo;
			present &= choices < UINT32_MAX - 1;
		}
	}
	if (present)
		lp_seen_put(&s->spins, with(before, t), chose ? 1 + (uint32_t)choices : 0);
	/* Without an iteration that was interrupted where it had to wait, which is free, the
	 * switch would have to come elsewhere, where it may not be. */
	return !waits || g->ev.count - th->at[from] == th->count - from;
}

/* Thread t has just performed something: on to its next access. */
static void advance(struct search *s, lp_tid t, uint32_t used)
{
	struct lp_explorer *x = &s->x;
	struct lp_graph *g = &lp_top(x)->g;

	s->used = used;
	while (lp_catch_up(x)) {
		const struct lp_op *op;
		if (lp_stop_of(x, t, &op) != LP_STOP_NONE) {
			open_point(s, NOBODY, used);
			return;
		}
		if (op->kind == LP_OP_ERROR) {
			lp_explorer_fail(x, t, op->error);
			return;
		}
		if (!lp_endless_check_steps(x, t, op))
			return;
		const struct lp_move move = lp_move_of(x, t, op);
		const struct lp_turn turn = lp_reduce_before(x, t, &op, move.live);
		if (turn.kind == LP_TURN_OMITS) {
			lp_graph_event(g, LP_LAST(&g->threads.at[t]))->stop = LP_STOP_NONE;
			if (note_iteration(s, t, turn.from))
				return;
		}
		if (lp_is_access(op)) {
			if (!lp_ways_of(x, &move, true, &s->ways))
				return;
			open_point(s, s->ways.count ? t : NOBODY, used);
			return;
		}
		if (lp_op_chooses(op->kind) && op->count > 1) {
			open_number(s, &move, used);
			return;
		}
		if (!lp_act_go(x, &move, 0))
			return;
	}
}

static void take(struct search *s, const struct point *p, struct decision d)
{
	struct lp_explorer *x = &s->x;
	const uint32_t used = p->used + (p->current != NOBODY && p->current != d.thread);
	const struct lp_op *op;

	if (used > s->bound) {
		s->cut = true;
		return;
	}
	if (!lp_catch_up(x))
		return;
	s->used = used;
	lp_stop_of(x, d.thread, &op);
	if (op->kind == LP_OP_ERROR) {
		lp_explorer_fail(x, d.thread, op->error);
		return;
	}
	const struct lp_move move = lp_move_of(x, d.thread, op);
	if (!lp_machine_is_at(&x->machine, d.thread, d.op)) {
		lp_explorer_fail(x, d.thread, &x->machine.error);
		return;
	}
	if (lp_act_go(x, &move, d.way) && !x->stopped)
		advance(s, d.thread, used);
}

/* ---- going back ---- */

static void back_to(struct search *s, const struct point *p)
{
	lp_shrink(&s->x, p->events, p->seq, 0);
	s->print = p->print;
	s->printed = p->events;
}

/* No thread can continue from p, except threads that spin there. */
static void end_at(struct search *s, const struct point *p)
{
	struct lp_explorer *x = &s->x;
	const uint32_t threads = lp_top(x)->g.threads.count;
	enum lp_conclusion how;

	if (!lp_catch_up(x))
		return;
	if (s->room < threads) {
		s->room = 2 * threads;
		s->spinning = lp_realloc(s->spinning, sizeof *s->spinning * s->room);
		s->choices = lp_realloc(s->choices, sizeof *s->choices * s->room);
	}
	for (lp_tid t = 0; t < threads; t++) {
		const uint32_t number = lp_seen_number(&s->spins, with(p->print, t));
		s->spinning[t] = number != UINT32_MAX;
		s->choices[t] = s->spinning[t] && number ? number - 1 : 0;
	}
	s->used = p->used;
	if (!lp_act_settle(x, s->spinning, s->choices, &how) || x->stopped)
		return;
	print_events(s);
	if (!lp_seen_put(&s->ends, s->print, 0))
		return;
	if (how == LP_CONCLUDES_COMPLETE)
		lp_explorer_count_execution(x);
	else
		lp_explorer_count_blocked(x);
}

/* Has the point's current thread, which was tried first, turned out to spin here?  Then
 * switches are free.  False if the rest need not be visited. */
static bool reconsider(struct search *s, struct point *p)
{
	if (p->number || p->current == NOBODY || !only_spins_at(s, p->print, p->current))
		return true;
	p->current = NOBODY;
	if (enter(s, NOBODY, p->used))
		return true;
	return false;
}

static bool all_spin(const struct search *s, const struct point *p)
{
	for (uint32_t i = p->first; i < p->end; i++)
		if (!spins_at(s, p->print, s->decisions.at[i].thread))
			return false;
	return true;
}

/* The next decision of the last point; without one, the point is done. */
static void go_on(struct search *s)
{
	struct point *p = &LP_LAST(&s->points);

	back_to(s, p);
	const bool worthwhile = reconsider(s, p);
	if (worthwhile && p->next < p->end) {
		const struct point here = *p;
		take(s, &here, s->decisions.at[p->next++]);
		return;
	}
	if (worthwhile && !p->number && all_spin(s, p) && !s->x.stopped)
		end_at(s, p);
	s->decisions.count = p->first;
	s->points.count--;
}

/* ---- the whole ---- */

static void search_within(struct search *s, uint32_t bound)
{
	struct lp_explorer *x = &s->x;

	s->bound = bound;
	s->cut = false;
	lp_seen_clear(&s->visited);
	lp_shrink(x, 0, 0, 0);
	s->print = (struct lp_fingerprint)LP_FINGERPRINT;
	s->printed = 0;
	advance(s, 0, 0);
	while (!x->stopped && s->points.count && lp_within_limits(x, unknown) &&
	       !lp_watch_asks_for_restart(x->options->watch))
		go_on(s);
}

static void sign(struct search *s)
{
	struct lp_exploration *out = s->x.out;
	char text[512];

	if (out->verdict != LP_VIOLATION)
		return;
	snprintf(text, sizeof text, "%s (after %u preemption%s)", out->text, s->used,
		 s->used == 1 ? "" : "s");
	out->text = lp_arena_strdup(s->x.arena, text);
}

static enum lp_pass_end explore(const struct lp_pass *a)
{
	const struct lp_explore_options *options = &a->options;
	const uint32_t most = options->preemptions < 0 ? UINT32_MAX - 1 : (uint32_t)options->preemptions;
	struct lp_exploration *out = a->out;
	struct search s = { 0 };

	lp_explorer_open(&s.x, a->program, options, a->arena, out);
	s.x.forward = true;
	if (options->model != LP_MODEL_SC)
		lp_explorer_stop(&s.x, "preemptions can be bounded under sc only");
	s.cut = true;
	for (uint32_t bound = 0; !s.x.stopped && s.cut && bound <= most && !lp_watch_asks_for_restart(options->watch); bound++)
		search_within(&s, bound);
	lp_omitted_finish(&s.x);
	sign(&s);
	out->distinct = out->executions;
	out->estimate = s.x.stopped ? 0 : (double)out->executions;

	lp_free(s.points.at);
	lp_free(s.decisions.at);
	lp_free(s.ways.at);
	lp_free(s.spinning);
	lp_free(s.choices);
	lp_seen_close(&s.visited);
	lp_seen_close(&s.spins);
	lp_seen_close(&s.ends);
	lp_explorer_close(&s.x);
	return s.x.stopped ? LP_PASS_STOPPED : LP_PASS_DONE;
}

void lp_explore_preemptions(struct lp_program *program, const struct lp_explore_options *options,
			    struct lp_arena *arena, struct lp_exploration *out)
{
	lp_restarts_explore(&(struct lp_pass){ .program = program, .options = *options, .arena = arena, .out = out,
						  .explore = explore, .situation = LP_FORWARD, .watches = LP_WATCHES_OMITTED });
}
