/* naive.c -- growing and judging candidates; see naive.h. */
#include "naive.h"

#include "growth.h"
#include "base/error.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ENDINGS 6
#define DEFAULT_STATES 5000
/* Consistency checks that one program may cost: a quarter of a second, and of that a quarter if
 * there are to be many programs. */
#define MAX_CHECKS 20000
#define MAX_ORDERS 2000000 /* orders of writes, complete or not */

/* ---- candidates seen ---- */

/* A candidate is given by what each thread's operations were answered. */
static bool seen_before(struct growth *g)
{
	struct lp_fingerprint f = LP_FINGERPRINT;
	uint32_t number[MAX_EVENTS] = { 0 }, count[MAX_THREADS] = { 0 };

	for (uint32_t i = 0; i < g->events.count; i++)
		number[i] = count[g->events.at[i].thread]++;
	for (lp_tid t = 0; t < g->script->blocks.count; t++) {
		lp_fingerprint_word(&f, 1000 + count[t]);
		for (uint32_t i = 0; i < g->events.count; i++) {
			const struct seen_event *e = &g->events.at[i];
			if (e->thread != t)
				continue;
			lp_fingerprint_word(&f, lp_op_chooses(e->op.kind) ? e->answer.value.lo
									   : e->answer.failed);
			lp_fingerprint_word(&f, e->reads_from >= SEEN_INITIAL
							? e->reads_from
							: g->events.at[e->reads_from].thread * 1000 +
								  number[e->reads_from]);
		}
	}
	if (!visited_add(&g->visited, f))
		return true;
	g->result->states++;
	return false;
}

/* ---- judging a candidate ---- */

static bool is_access(const struct seen_event *e)
{
	return e->op.kind == LP_OP_LOAD || e->op.kind == LP_OP_STORE || e->op.kind == LP_OP_RMW;
}

/* Adds event number `at` of the candidate, the end number `n` of a location's life. */
static void build_ending(struct growth *g, uint32_t n, unsigned at)
{
	struct candidate *c = &g->candidate;
	const unsigned inits = g->script->locs.count;
	const struct ending *f = &g->endings.at[n];
	uint32_t index = 0;

	c->event[at] = (struct axiom_event){ .frees = true, .order = LP_PLAIN, .thread = f->thread,
					     .loc = f->loc };
	for (uint32_t i = 0; i < g->events.count; i++) {
		const struct seen_event *e = &g->events.at[i];
		if (e->thread == f->thread && index++ < f->index)
			rel_add(&c->po, inits + i, at);
		else if (e->thread == f->thread)
			rel_add(&c->po, at, inits + i);
		if (e->op.kind == LP_OP_SPAWN && f->thread == e->op.target)
			rel_add(&c->sync, inits + i, at);
		if (e->op.kind == LP_OP_JOIN && f->thread == e->op.target)
			rel_add(&c->sync, at, inits + i);
	}
	for (uint32_t i = 0; i < n; i++)
		if (g->endings.at[i].thread == f->thread)
			rel_add(&c->po, at - n + i, at);
}

/* Adds, as the last event of the candidate, an operation at which the thread may have to wait: it
 * looks at its location whether it ever takes place or not. */
static void build_look(struct growth *g, lp_tid t, const struct lp_op *op)
{
	struct candidate *c = &g->candidate;
	const unsigned inits = g->script->locs.count, at = c->count++;

	c->event[at] = (struct axiom_event){ .looks = true, .order = LP_RLX, .thread = t, .loc = op->loc };
	for (unsigned i = 0; i < inits; i++)
		rel_add(&c->sync, i, at);
	for (unsigned i = inits; i < at; i++)
		if (c->event[i].thread == t)
			rel_add(&c->po, i, at);
	for (uint32_t i = 0; i < g->events.count; i++)
		if (g->events.at[i].op.kind == LP_OP_SPAWN && g->events.at[i].op.target == t)
			rel_add(&c->sync, inits + i, at);
}

/* Events of the candidate are the initial writes, one a location, then ours, then the ends of
 * locations' lives, then operations that have not taken place. */
static void build_candidate(struct growth *g)
{
	struct candidate *c = &g->candidate;
	const unsigned inits = g->script->locs.count;

	memset(c, 0, sizeof *c);
	c->count = inits + g->events.count + g->endings.count;
	for (uint32_t n = 0; n < g->endings.count; n++)
		build_ending(g, n, inits + g->events.count + n);
	for (unsigned l = 0; l < inits; l++) {
		/* An initial write is hb-before everything, so it races with nothing;
		 * as no atomic write it begins no release sequence. */
		c->event[l] = (struct axiom_event){ .writes = true, .order = LP_PLAIN,
						    .loc = lp_script_address(l), .thread = UINT32_MAX };
		for (unsigned i = inits; i < c->count; i++)
			rel_add(&c->sync, l, i);
		g->co[l].count = 0;
	}
	for (uint32_t i = 0; i < g->events.count; i++) {
		const struct seen_event *e = &g->events.at[i];
		const bool access = is_access(e);

		c->event[inits + i] = (struct axiom_event){
			.reads = access && e->op.kind != LP_OP_STORE,
			.writes = access && seen_writes(e),
			.fence = e->op.kind == LP_OP_FENCE,
			.locked = e->op.kind == LP_OP_RMW,
			.barrier = e->op.kind == LP_OP_SPAWN || e->op.kind == LP_OP_JOIN,
			.order = access || e->op.kind == LP_OP_FENCE
					 ? (e->answer.failed ? e->op.fail_order : e->op.order)
					 : LP_PLAIN,
			.thread = e->thread,
			.loc = e->op.loc,
		};
		for (uint32_t k = 0; k < g->events.count; k++) {
			const struct seen_event *f = &g->events.at[k];
			if (k > i && f->thread == e->thread)
				rel_add(&c->po, inits + i, inits + k);
			if (e->op.kind == LP_OP_SPAWN && f->thread == e->op.target)
				rel_add(&c->sync, inits + i, inits + k);
			if (e->op.kind == LP_OP_JOIN && f->thread == e->op.target)
				rel_add(&c->sync, inits + k, inits + i);
		}
		if (e->reads_from == SEEN_INITIAL)
			rel_add(&c->rf, loc_of(&e->op), inits + i);
		else if (e->reads_from != SEEN_NONE)
			rel_add(&c->rf, inits + e->reads_from, inits + i);
		if (access && seen_writes(e))
			LP_PUSH(&g->co[loc_of(&e->op)], i);
	}
	for (lp_tid t = 0; t < g->script->blocks.count; t++) {
		const struct lp_op *op = lp_program_pending(g->program, t);
		if (op && (op->kind == LP_OP_LOAD || op->kind == LP_OP_RMW) && op->when != LP_ALWAYS &&
		    op->otherwise != LP_ELSE_FAIL)
			build_look(g, t, op);
	}
	axioms_prepare(c, g->options->model);
}

/* Takes the permutations of g->co as the coherence order. */
static void build_co(struct growth *g)
{
	const unsigned inits = g->script->locs.count;

	g->candidate.co = (struct rel){ { 0 } };
	for (unsigned l = 0; l < inits; l++) {
		for (uint32_t i = 0; i < g->co[l].count; i++) {
			const uint32_t e = g->co[l].at[i];

			rel_add(&g->candidate.co, l, inits + e);
			for (uint32_t k = i + 1; k < g->co[l].count; k++)
				rel_add(&g->candidate.co, inits + e, inits + g->co[l].at[k]);
			g->events.at[e].co_after = i ? g->co[l].at[i - 1] : SEEN_INITIAL;
		}
	}
}

/* Called for each consistent choice of co; true: no more are wanted.  NULL: any one will do. */
typedef bool judge(struct growth *);

/* May `e` come directly after `before` in co?  An RMW comes directly after what it
 * reads from, in every model; the axioms check it again. */
static bool may_follow(const struct growth *g, uint32_t before, uint32_t e)
{
	return g->events.at[e].op.kind != LP_OP_RMW || g->events.at[e].reads_from == before;
}

/* All orders of co[loc], of which the first `fixed` are settled, and of the
 * locations after it. */
static bool each_co(struct growth *g, uint32_t loc, uint32_t fixed, judge *found)
{
	if (loc == g->script->locs.count) {
		if (++g->checks > (g->options->judge ? MAX_CHECKS / 4 : MAX_CHECKS)) {
			g->result->too_large = true;
			return true;
		}
		build_co(g);
		return axioms_consistent(&g->candidate, g->options->model) && (!found || found(g));
	}
	if (fixed == g->co[loc].count)
		return each_co(g, loc + 1, 0, found);

	uint32_t *order = g->co[loc].at;
	bool done = false;

	if (++g->orders > MAX_ORDERS) {
		g->result->too_large = true;
		return true;
	}
	for (uint32_t i = fixed; i < g->co[loc].count && !done; i++) {
		uint32_t e = order[fixed];
		order[fixed] = order[i];
		order[i] = e;
		if (may_follow(g, fixed ? order[fixed - 1] : SEEN_INITIAL, order[fixed]))
			done = each_co(g, loc, fixed + 1, found);
		e = order[fixed];
		order[fixed] = order[i];
		order[i] = e;
	}
	return done;
}

static bool found_complete(struct growth *g)
{
	char *(*text)(const struct lp_script *, const struct seen_event *, uint32_t, bool) =
		g->options->symmetry ? describe_alike : describe;

	LP_PUSH(&g->result->graphs, text(g->script, g->events.at, g->events.count,
					 g->options->plain));
	return false;
}

/* Does something access, or free, what need not yet be allocated?  The plain write of the
 * allocation is the first write to the location. */
static bool precedes_allocation(const struct growth *g)
{
	const struct candidate *c = &g->candidate;
	const unsigned inits = g->script->locs.count;
	struct rel before = rel_union(&c->po, &c->sync);

	before = rel_union(&before, &c->rf);
	before = rel_plus(&before);
	for (unsigned i = inits; i < c->count; i++) {
		const struct axiom_event *e = &c->event[i];
		unsigned first = 0;

		if (!(e->reads || e->writes || e->frees || e->looks) ||
		    !g->script->locs.at[(e->loc - lp_script_address(0)) / 64].allocated)
			continue;
		for (uint32_t k = 0; k < g->events.count && !first; k++)
			if (is_access(&g->events.at[k]) && g->events.at[k].op.loc == e->loc)
				first = inits + k;
		if (i != first && !in(before.row[first], i))
			return true;
	}
	return false;
}

/* Takes down what the thread's error says of the program, if the graph is one. */
static void judge_error(struct growth *g, enum lp_error_kind kind)
{
	struct naive_result *r = g->result;

	if (kind == LP_ERROR_USE_AFTER_FREE || kind == LP_ERROR_DOUBLE_FREE)
		g->stop = r->misuse = true;
	else if (kind == LP_ERROR_UNSUPPORTED)
		g->stop = r->ill_formed = true;
	else if (kind == LP_ERROR_ENDLESS)
		r->too_large = true;
	else if (kind == LP_ERROR_OUT_OF_BOUNDS)
		r->out_of_bounds = true;
	else
		r->assertion = true;
}

/* How many threads are where; which have ended, as bits. */
struct standing {
	uint32_t ended, errors, stuck, joins, ends;
	uint32_t absent; /* not spawned yet */
};

static struct standing look_around(struct growth *g)
{
	struct standing at = { 0 };

	for (lp_tid t = 0; t < g->script->blocks.count; t++) {
		const struct lp_op *op = lp_program_pending(g->program, t);

		if (!op)
			at.absent++;
		else if (g->spinning[t] != NOT_SPINNING || naive_is_waiting(op))
			at.stuck++;
		else if (op->kind == LP_OP_END)
			at.ended++, at.ends |= UINT32_C(1) << t;
		else if (op->kind == LP_OP_ERROR)
			at.errors++;
		else if (op->kind == LP_OP_JOIN)
			at.joins++;
		else if (naive_is_cut(g, t, op))
			g->result->cut = true, at.stuck += g->options->cut_spins;
	}
	return at;
}

/* What is wrong with the candidate, whatever its co.  False: it is no graph, nor is any that
 * it is part of. */
static bool judge_accesses(struct growth *g, bool errors)
{
	struct naive_result *r = g->result;
	const bool lives = g->endings.count || g->script_allocates;
	const bool ill_formed = lives && precedes_allocation(g);
	const bool misuse = lives && axioms_use_after_free(&g->candidate);
	const bool race = g->has_plain && axioms_race(&g->candidate);

	if (!g->options->judge && !errors && !(ill_formed || misuse || race))
		return true;
	if (!each_co(g, 0, 0, NULL))
		return r->too_large || !g->options->judge;
	r->ill_formed |= ill_formed;
	r->misuse |= misuse;
	r->race |= race;
	for (lp_tid t = 0; errors && t < g->script->blocks.count; t++) {
		const struct lp_op *op = lp_program_pending(g->program, t);
		if (op && op->kind == LP_OP_ERROR)
			judge_error(g, op->error->kind);
	}
	g->stop |= g->options->judge && (r->ill_formed || r->misuse || r->race);
	return true;
}

/* False: nothing can become of the candidate. */
static bool judge_candidate(struct growth *g)
{
	const struct standing at = look_around(g);
	const uint32_t threads = g->script->blocks.count;
	const bool complete = at.ended == threads;
	const uint32_t stuck = naive_stuck_bit(at.ends);
	const bool maybe_stuck = at.stuck && at.ended + at.stuck + at.joins + at.absent == threads && !(g->result->stuck_with & stuck);
	const bool maybe_wrong = at.errors || (g->has_plain && !g->result->race) || g->options->judge;

	if (!complete && !maybe_stuck && !maybe_wrong)
		return true;
	build_candidate(g);
	if (maybe_wrong && !judge_accesses(g, at.errors))
		return false;
	if (complete && !g->stop) {
		const uint32_t before = g->result->graphs.count;
		each_co(g, 0, 0, found_complete);
		const char *outcome = g->program->class->outcome(g->program);
		if (outcome && g->result->graphs.count > before)
			LP_PUSH(&g->result->outcomes, lp_strdup(outcome));
	}
	if (maybe_stuck && !g->stop && each_co(g, 0, 0, naive_is_stuck)) {
		g->result->stuck = true;
		g->result->stuck_with |= stuck;
	}
	return !g->stop;
}

/* ---- growing ---- */

static void grow(struct growth *g);

static uint32_t writes_of(const struct growth *g, lp_tid t)
{
	uint32_t writes = 0;

	/* An RMW that writes back what it read changes nothing. */
	for (uint32_t i = 0; i < g->events.count; i++) {
		const struct seen_event *e = &g->events.at[i];
		writes += e->thread == t && seen_writes(e) &&
			  (e->op.kind != LP_OP_RMW ||
			   !lp_value_equal(e->answer.wrote, e->answer.value));
	}
	return writes;
}

/* Has `t` come back to an operation in the same live state, with no write since?
 * Then the iteration was redundant.  One that overlaps with an iteration which is kept is none: with two
 * operations in a loop, an iteration from the second to the second is half kept already. */
static void note_arrival(struct growth *g, lp_tid t)
{
	const struct lp_op *op = lp_program_pending(g->program, t);
	struct arrival now = { .thread = t, .event = g->events.count, .writes = writes_of(g, t) };

	if (!op->loop || !g->program->class->live_state(g->program, t, now.state))
		return;
	uint32_t before = NOT_SPINNING, kept = 0;
	for (uint32_t i = 0; i < g->arrivals.count; i++) {
		const struct arrival *a = &g->arrivals.at[i];
		if (a->thread != t)
			continue;
		if (a->redundant) {
			before = NOT_SPINNING;
			kept++;
		}
		if (a->writes == now.writes && !memcmp(a->state, now.state, sizeof now.state))
			before = a->event;
	}
	now.redundant = before != NOT_SPINNING;
	if (now.redundant && kept >= g->options->patience)
		g->spinning[t] = before;
	LP_PUSH(&g->arrivals, now);
}

/* Adds the pending operation of `t`, so answered, and grows on. */
static void grow_by(struct growth *g, lp_tid t, const struct lp_op *op,
		    const struct lp_response *answer, uint32_t reads_from)
{
	if (g->events.count + g->script->locs.count + MAX_ENDINGS + g->script->blocks.count >=
	    MAX_EVENTS) {
		g->result->too_large = true;
		return;
	}
	const uint32_t mark = g->program->class->save(g->program);
	const uint32_t arrivals = g->arrivals.count, endings = g->endings.count;
	const uint32_t round = g->round[t], rounds = lp_script_rounds(g->program, t);

	LP_PUSH(&g->events, (struct seen_event){ .op = *op, .answer = *answer, .thread = t,
						 .reads_from = reads_from, .co_after = SEEN_NONE });
	lp_program_resume(g->program, t, answer);
	if (lp_script_rounds(g->program, t) != rounds)
		g->round[t] = g->events.count;
	if (g->options->spin) {
		note_arrival(g, t);
		if (op->kind == LP_OP_SPAWN)
			note_arrival(g, op->target);
	}
	grow(g);
	g->spinning[t] = NOT_SPINNING;
	g->round[t] = round;
	g->arrivals.count = arrivals;
	g->endings.count = endings;
	g->events.count--;
	g->program->class->restore(g->program, mark);
	g->program->class->forget(g->program, mark);
}

/* Operations that have one answer, whatever happens elsewhere.  Doing them first
 * loses nothing: they only add writes to read from. */
static bool has_one_answer(struct growth *g, const struct lp_op *op)
{
	switch ((enum lp_op_kind)op->kind) {
	case LP_OP_STORE:
	case LP_OP_FENCE:
	case LP_OP_SPAWN:
	case LP_OP_YIELD:
		return true;
	case LP_OP_JOIN:
		return lp_program_pending(g->program, op->target)->kind == LP_OP_END;
	default:
		return false;
	}
}

/* The pending read of `t` reads `value` from `write`, if it can. */
static void grow_read(struct growth *g, lp_tid t, const struct lp_op *op, struct lp_value value,
		      uint32_t write)
{
	struct lp_response answer = { .value = value };
	const bool holds = lp_op_holds(op, value);

	if (op->when != LP_ALWAYS && op->otherwise != LP_ELSE_FAIL && !holds)
		return;
	if (op->kind == LP_OP_RMW) {
		answer.failed = !holds;
		if (holds)
			answer.wrote = lp_op_result(op, value);
	}
	grow_by(g, t, op, &answer, write);
	if (op->kind == LP_OP_RMW && op->weak && holds && g->options->weak_fails) {
		const struct lp_response spurious = { .value = value, .failed = true };
		grow_by(g, t, op, &spurious, write);
	}
}

static void grow_reads(struct growth *g, lp_tid t, const struct lp_op *op)
{
	const uint32_t count = g->events.count;

	grow_read(g, t, op, lp_value(g->script->locs.at[loc_of(op)].initial), SEEN_INITIAL);
	for (uint32_t i = 0; i < count; i++)
		if (is_access(&g->events.at[i]) && seen_writes(&g->events.at[i]) &&
		    g->events.at[i].op.loc == op->loc)
			grow_read(g, t, op, g->events.at[i].answer.wrote, i);
}

static void grow(struct growth *g)
{
	const uint32_t limit = g->options->max_states ? g->options->max_states : DEFAULT_STATES;

	g->result->too_large |= g->endings.count > MAX_ENDINGS;
	if (g->result->too_large || g->stop)
		return;
	for (lp_tid t = 0; t < g->script->blocks.count; t++) {
		const struct lp_op *pending = lp_program_pending(g->program, t);

		if (!pending || g->spinning[t] != NOT_SPINNING || !has_one_answer(g, pending))
			continue;
		const struct lp_op op = *pending;
		const struct lp_response answer = { .wrote = op.operand };
		grow_by(g, t, &op, &answer, SEEN_NONE);
		return;
	}
	if (seen_before(g))
		return;
	if (g->result->states > limit) {
		g->result->too_large = true;
		return;
	}
	if (!judge_candidate(g))
		return;
	for (lp_tid t = 0; t < g->script->blocks.count; t++) {
		const struct lp_op *pending = lp_program_pending(g->program, t);

		if (!pending || g->spinning[t] != NOT_SPINNING)
			continue;
		const struct lp_op op = *pending;
		if (op.kind == LP_OP_LOAD || op.kind == LP_OP_RMW)
			grow_reads(g, t, &op);
		for (uint32_t i = 0; lp_op_chooses(op.kind) && i < op.count; i++) {
			const struct lp_response answer = { .value = lp_value(i) };
			grow_by(g, t, &op, &answer, SEEN_NONE);
		}
	}
}

/* Here plain accesses are events like any other. */
static enum lp_plain all_are_events(struct lp_observer *o, const struct lp_plain_range *range, struct lp_plain_piece *piece,
				    struct lp_program_error *error)
{
	(void)o, (void)error;
	*piece = (struct lp_plain_piece){ range->size, true };
	return LP_PLAIN_EVENT;
}

static void note_allocated(struct lp_observer *o, lp_tid thread, uintptr_t loc, size_t size, uintptr_t pc)
{
	(void)o, (void)thread, (void)loc, (void)size, (void)pc; /* its plain write says it */
}

static bool note_freed(struct lp_observer *o, lp_tid thread, uintptr_t loc, size_t size, uintptr_t pc,
		       struct lp_program_error *error)
{
	struct growth *g = (struct growth *)o;
	uint32_t index = 0;

	(void)size, (void)pc, (void)error;
	for (uint32_t i = 0; i < g->events.count; i++)
		index += g->events.at[i].thread == thread;
	LP_PUSH(&g->endings, (struct ending){ thread, index, loc });
	return true;
}

static bool has_line(const struct lp_script *s, enum lp_script_kind kind)
{
	for (uint32_t b = 0; b < s->blocks.count; b++)
		for (uint32_t i = 0; i < s->blocks.at[b].count; i++)
			if (s->blocks.at[b].at[i].kind == kind)
				return true;
	return false;
}

void naive_enumerate(const struct lp_script *script, const struct naive_options *options,
		     struct naive_result *out)
{
	struct growth *g = lp_alloc_zero(1, sizeof *g);

	*out = (struct naive_result){ 0 };
	if (script->blocks.count > MAX_THREADS || script->locs.count > MAX_LOCS) {
		out->too_large = true;
		lp_free(g);
		return;
	}
	g->script = script;
	g->options = options;
	g->result = out;
	g->script_allocates = has_line(script, LP_LINE_ALLOC);
	g->has_plain = g->script_allocates || has_line(script, LP_LINE_PLOAD) ||
		       has_line(script, LP_LINE_PSTORE);
	g->observer = (struct lp_observer){ all_are_events, note_allocated, note_freed };
	g->program = lp_script_open(script);
	g->program->observer = &g->observer;
	lp_script_bound(g->program, options->rounds);
	for (int t = 0; t < MAX_THREADS; t++)
		g->spinning[t] = NOT_SPINNING;
	lp_program_reset(g->program);
	if (options->spin)
		note_arrival(g, 0);
	grow(g);

	if (graph_set_sort(&out->graphs) && !options->symmetry && (!g->has_plain || options->plain))
		LP_BUG("the naive enumerator found a graph twice");
	graph_set_sort(&out->outcomes);
	for (int l = 0; l < MAX_LOCS; l++)
		lp_free(g->co[l].at);
	lp_script_close(g->program);
	lp_free(g->visited.at);
	lp_free(g->arrivals.at);
	lp_free(g->endings.at);
	lp_free(g->events.at);
	lp_free(g);
}

void naive_result_drop(struct naive_result *r)
{
	graph_set_drop(&r->graphs);
	graph_set_drop(&r->outcomes);
}
