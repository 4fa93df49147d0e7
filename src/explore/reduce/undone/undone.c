/* undone.c -- iterations that take back what they have written. */
#include "explore/reduce/undone/undone.h"

#include "base/error.h"
#include "base/hash.h"
#include "explore/graph/grow.h"
#include "explore/reduce/facts/answers.h"
#include "explore/reduce/facts/undone_pairs.h"
#include "explore/reduce/silent_rmw.h"
#include "explore/reduce/stale/ways_back.h"

void lp_undone_close(struct lp_undone_tried *t)
{
	lp_seen_close(&t->known);
	lp_free(t->ways.at);
	lp_free(t->ops.at);
	lp_shifts_close(&t->shifts);
}

/* The known pairs; NULL if they are not used. */
static struct lp_undone_pairs *pairs_of(const struct lp_explorer *x)
{
	const struct lp_program *p = x->machine.program;

	if (!x->options->reduce.undone || x->options->reduce.careful == LP_CAREFUL || !x->machine.omitted.facts || x->options->races_ignored ||
	    !p->class->noise || p->unseen)
		return NULL;
	return lp_answers_undone(x);
}

/* Do reads acquire only if the program says so? */
static bool is_weak(const struct lp_explorer *x)
{
	return !lp_order_acquires(x->model->order(LP_EV_READ, LP_RLX));
}

/* ---- iterations ---- */

static bool owner_of(const struct lp_explorer *x, struct lp_value value, lp_tid *thread, uintptr_t *place)
{
	struct lp_program *p = x->machine.program;

	return !value.hi && p->class->owner(p, (uintptr_t)value.lo, thread, place);
}

/* The key of the pair whose first write is e, if it can be one that is left out. */
static bool make_key(const struct lp_explorer *x, const struct lp_event *read, const struct lp_event *e, struct lp_undone_key *key,
		     bool *owned)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	const struct lp_op *op = &x->ops.op.at[e->op].op;
	uintptr_t place;
	lp_tid owner;

	if (e->bytes || read->keeps || op->internal || op->lock || op->partial || g->locs.at[e->loc].owner ||
	    (is_weak(x) && !lp_order_releases(e->order)) || lp_value_equal(read->value, e->value) ||
	    owner_of(x, read->value, &owner, &place))
		return false;
	*key = (struct lp_undone_key){ .address = op->loc, .size = op->size, .old = read->value, .put = e->value,
				       .place = (uintptr_t)e->value.lo, .thread = e->thread, .kind = g->threads.at[e->thread].eldest };
	*owned = owner_of(x, e->value, &owner, &key->place);
	return !*owned || owner == e->thread;
}

/* Adds the pair, and the corresponding pairs of threads like this one, because symmetry.h chooses which of them makes the iteration.  Returns
 * NULL if these are not known, or if there is no room. */
static struct lp_undone_pair *put_pairs(struct lp_explorer *x, struct lp_undone_pairs *pairs, const struct lp_undone_key *key, bool owned)
{
	const struct lp_graph *g = &lp_top(x)->g;
	struct lp_program *p = x->machine.program;

	LP_HOLDS(key->thread < g->threads.count && g->threads.at[key->thread].eldest == key->kind);
	for (lp_tid t = 0; t < g->threads.count; t++) {
		struct lp_undone_key other = *key;
		if (t == key->thread || !g->threads.at[t].exists || g->threads.at[t].eldest != key->kind)
			continue;
		other.thread = t;
		if (owned && p->class->placed)
			other.put = lp_value(p->class->placed(p, t, key->place));
		if ((owned && !p->class->placed) || !lp_answers_rely_on_threads(x) || !lp_undone_pair_put(pairs, &other))
			return NULL;
	}
	return lp_undone_pair_put(pairs, key);
}

static bool relies_on(struct lp_explorer *x, struct lp_undone_pairs *pairs, const struct lp_event *read, const struct lp_event *e)
{
	struct lp_undone_key key;
	bool owned;

	LP_HOLDS(read->rmw && e->rmw && read->thread == e->thread && read->index + 1 == e->index); /* one operation */
	if (!make_key(x, read, e, &key, &owned))
		return false;
	struct lp_undone_pair *p = put_pairs(x, pairs, &key, owned);
	return p && lp_undone_pair_rely(pairs, p);
}

bool lp_undone_restores(struct lp_explorer *x, lp_tid thread, uint32_t from, uint32_t to)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	struct lp_undone_pairs *pairs = pairs_of(x);
	uint32_t open = 0; /* 1 + the index of a write that is not taken back yet */

	LP_HOLDS(from <= to && to <= t->count);
	for (uint32_t i = from; i < to; i++) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->kind != LP_EV_WRITE || !e->rmw)
			continue;
		if (!pairs || i == from)
			return false;
		const struct lp_event *read = lp_graph_event(g, t->at[i - 1]);
		LP_HOLDS(read->kind == LP_EV_READ && read->rmw && read->loc == e->loc);
		if (!open) {
			open = i + 1;
			continue;
		}
		const struct lp_event *first = lp_graph_event(g, t->at[open - 1]), *old = lp_graph_event(g, t->at[open - 2]);
		if (read->rf != t->at[open - 1] || read->keeps || !lp_value_equal(e->value, old->value) ||
		    !relies_on(x, pairs, old, first))
			return false;
		LP_HOLDS(e->loc == first->loc && lp_graph_at(&g->locs.at[e->loc], first->pos + 1) == t->at[i]);
		open = 0;
	}
	return !open;
}

bool lp_undone_retries(struct lp_explorer *x, lp_tid thread, uint32_t live)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	bool wrote = false;

	for (uint32_t i = live && pairs_of(x) ? t->count : 0; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		const bool writes = e->kind == LP_EV_WRITE && e->rmw;
		if (!writes && !lp_explorer_changes_nothing(g, t, i))
			return false;
		wrote |= writes;
		if (lp_graph_note(g, t->at[i])->live == live)
			return wrote && !lp_plains_wrote_since(&x->machine.plains, thread, i + 1) &&
			       lp_undone_restores(x, thread, i, t->count) && lp_explorer_leaves_out(x, thread, i, t->count);
	}
	return false;
}

/* ---- threads that see a value which is taken back ---- */

/* A question: a thread in a live state is at an operation, which gets the answer `put` of a pair. */
struct question {
	lp_tid thread;
	uint32_t op, live, pair;
	const struct lp_undone_key *key;
};

static struct lp_fingerprint print_question(const struct question *q)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, (uint64_t)q->live << 32 | q->op);
	lp_fingerprint_word(&f, q->pair);
	return f;
}

/* The place to which the thread comes after this answer. */
struct place {
	uint64_t print[2], fences;
	uint32_t op;
};

static bool is_at(struct lp_program *p, lp_tid thread, const struct lp_op *op, uint64_t print[2])
{
	if (op->kind == LP_OP_END)
		return p->class->end_state && p->class->end_state(p, thread, print);
	return p->class->live_state(p, thread, print);
}

static bool place_after(struct lp_explorer *x, lp_tid thread, struct lp_value value, struct place *p)
{
	const struct lp_frame *f = lp_top(x);
	struct lp_program *program = x->machine.program;
	const struct lp_response answer = { .value = value, .failed = true };
	const struct lp_to_try to = { .at = f->seq.count, .thread = thread, .answers = &answer, .count = 1 };
	struct lp_tried trial;
	const struct lp_op *op = lp_machine_try(&x->machine, &f->g, &f->seq, &to, &trial);
	const bool known = op && !trial.observed && !trial.noise && is_at(program, thread, op, p->print);

	if (known) {
		p->op = lp_ops_intern(&x->ops, op);
		p->fences = trial.fences;
	}
	x->agree = f->seq.count;
	if (!lp_catch_up(x))
		LP_BUG("an operation of thread %u went another way", thread);
	return known;
}

/* Condition 3a: does the thread go on as with the answer `old`? */
static bool is_all_the_same(struct lp_explorer *x, const struct question *q)
{
	const struct lp_op op = x->ops.op.at[q->op].op;
	const struct lp_undone_key *key = q->key;
	struct place seen, before;

	if (op.otherwise != LP_ELSE_FAIL || (op.kind == LP_OP_RMW && (lp_op_holds(&op, key->old) || lp_op_holds(&op, key->put))))
		return false;
	return place_after(x, q->thread, key->put, &seen) && place_after(x, q->thread, key->old, &before) && seen.op == before.op &&
	       seen.fences == before.fences && seen.print[0] == before.print[0] && seen.print[1] == before.print[1];
}

/* Stores the operations on the way back.  Returns false if the thread reads plainly on it. */
static bool keep_way(struct lp_undone_tried *u, const struct lp_back *s)
{
	const uint32_t first = u->ops.count;

	for (uint32_t i = 0; i < s->room.accesses.count; i++) {
		if (s->room.accesses.at[i].op == UINT32_MAX) {
			u->ops.count = first;
			return false;
		}
		LP_HOLDS(s->room.accesses.at[i].op < s->x->ops.op.count);
		LP_PUSH(&u->ops, s->room.accesses.at[i].op);
	}
	LP_PUSH(&u->ways, (struct lp_undone_way){ first, u->ops.count - first });
	return true;
}

/* Is the memory that of another thread, which may not have made it public in the past of the clock?  Accesses of that thread before are not recorded. */
static bool is_untold(const struct lp_explorer *x, lp_tid thread, const struct lp_op *op, const uint32_t *clock)
{
	uintptr_t place;
	lp_tid owner;

	return owner_of(x, lp_value(op->loc), &owner, &place) && owner != thread &&
	       !lp_own_is_told(&x->machine.own, thread, op->loc, op->size, clock);
}

/* Might the operation read memory that was never written?  If not, records the initial value of the location in this graph: new values are tried
 * after a restart. */
static bool is_unwritten(struct lp_explorer *x, uint32_t id)
{
	struct lp_program *p = x->machine.program;
	const struct lp_known_op *known = &x->ops.op.at[id];
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_loc *loc = known->loc < g->locs.count && g->locs.at[known->loc].used ? &g->locs.at[known->loc] : NULL;
	struct lp_value initial = loc ? loc->initial : (struct lp_value){ 0 };

	LP_HOLDS(known->loc != UINT32_MAX); /* ways consist of loads and read-modify-writes */
	if (loc ? loc->uninitialised : !p->class->initial(p, known->op.loc, known->op.size, &initial))
		return true;
	lp_answers_see_initial(x, known->loc, initial);
	return false;
}

/* Records the accesses that the thread has made in its iteration, is about to make, and would make on its way back, like those of an iteration that is left
 * out.  It is remembered that the thread comes back, but its knowledge and memory may differ from those when this was tried.  Returns false if the thread might
 * race with accesses that are not recorded, or might read memory that was never written. */
static bool record(const struct lp_back *s, const struct question *q, uint32_t way)
{
	struct lp_explorer *x = s->x;
	struct lp_program *p = x->machine.program;
	const struct lp_undone_tried *u = &x->local.undone;
	const uint32_t *clock = lp_model_past(s->g, s->thread, s->to);

	LP_HOLDS(way < u->ways.count && u->ways.at[way].first + u->ways.at[way].count <= u->ops.count);
	for (uint32_t i = 0; i < u->ways.at[way].count; i++) {
		const uint32_t id = u->ops.at[u->ways.at[way].first + i];
		const struct lp_op *op = &x->ops.op.at[id].op;
		if (is_untold(x, s->thread, op, clock) || !p->class->lives(p, op->loc, op->size) || is_unwritten(x, id))
			return false;
		lp_omitted_might_perform(x, s->thread, s->from, op, clock);
	}
	lp_omitted_might_perform(x, s->thread, s->from, &x->ops.op.at[q->op].op, clock);
	lp_omitted_might_go_on(x, s->thread, s->from);
	return true;
}

/* Has the thread, after its first `from` events, read plainly from memory that others may know? */
static bool has_read_plainly(const struct lp_explorer *x, lp_tid thread, uint32_t from)
{
	const struct lp_plains *plains = &x->machine.plains;

	for (uint32_t i = plains->count; i-- > 0;) {
		const struct lp_plain_access *a = &plains->at[i];
		if (a->thread == thread && a->index <= from)
			break;
		if (a->thread == thread && !a->own && !a->write)
			return true;
	}
	return false;
}

/* Does the thread come back at once with the answer `old`? */
static bool comes_home_at_once(struct lp_explorer *x, const struct question *q, uint32_t home)
{
	struct place p;

	if (x->ops.op.at[q->op].op.kind != LP_OP_LOAD || !place_after(x, q->thread, q->key->old, &p))
		return false;
	return !p.fences && lp_ops_live(&x->ops, p.print) == home;
}

/* Does the thread come back to `home`?  Which live state this is, and what the iteration has written so far, depends on the thread's
 * past; the rest is remembered. */
static bool comes_home(struct lp_explorer *x, const struct question *q, struct lp_back *s)
{
	struct lp_undone_tried *u = &x->local.undone;
	struct lp_fingerprint f = print_question(q);

	LP_HOLDS(s->from <= s->to && s->to == lp_top(x)->g.threads.at[q->thread].count);
	s->left_size = 0;
	if (!s->home || !lp_back_find_left(s) || (s->left_size && (!x->machine.own.on || s->left_stored)))
		return false;
	const bool kept = x->options->reduce.careful != LP_CARELESS && has_read_plainly(x, q->thread, s->from);
	lp_fingerprint_word(&f, (uint64_t)kept << 32 | s->home);
	lp_fingerprint_word(&f, s->left_size ? s->left : 0);
	lp_fingerprint_word(&f, s->left_size);
	uint32_t known = lp_seen_number(&u->known, f);
	if (known == UINT32_MAX) {
		const bool excused = x->model == &lp_model_sc || x->ops.op.at[q->op].op.order != LP_SC;
		s->room.accesses.count = s->room.clocks.count = 0;
		known = (!kept || comes_home_at_once(x, q, s->home)) &&
			lp_back_if_answered(s, q->live, q->op, q->key->put, excused) && keep_way(u, s) ? u->ways.count : 0;
		lp_seen_put(&u->known, f, known);
	}
	LP_HOLDS(known <= u->ways.count);
	return known && record(s, q, known - 1);
}

/* Condition 3b: does the thread come back to an earlier live state, and only read on the way? */
static bool comes_back(struct lp_explorer *x, const struct question *q)
{
	const struct lp_thread *t = &lp_top(x)->g.threads.at[q->thread];
	struct lp_back s;
	bool back = false;

	if (!q->live)
		return false;
	lp_back_open(&s, x, q->thread);
	s.to = t->count;
	for (uint32_t i = t->count; !back; i--) {
		s.from = i;
		s.home = i == t->count ? q->live : lp_back_note(&s, i)->live;
		back = comes_home(x, q, &s);
		if (!i || !lp_back_is_quiet(lp_back_event(&s, i - 1)))
			break;
	}
	lp_back_close(&s);
	return back;
}

/* Is this answer impossible for the operation?  The only read-modify-write that replaces `put` is the one that takes it back. */
static bool is_impossible(const struct lp_explorer *x, const struct lp_op *op, struct lp_value put)
{
	return op->kind == LP_OP_RMW && !(x->silent_rmw && lp_op_is_silent(op, put)) && lp_op_holds(op, put) &&
	       !(op->weak && x->options->weak_fails);
}

/* Has the thread not started another thread yet, or does it know that the other one has ended? */
static bool is_ordered(const struct lp_graph *g, lp_tid thread, lp_tid other)
{
	const struct lp_thread *t = &g->threads.at[thread], *o = other < g->threads.count ? &g->threads.at[other] : NULL;
	bool spawned = thread != 0;

	for (uint32_t i = 0; i < t->count && !spawned; i++)
		spawned = lp_graph_event(g, t->at[i])->kind == LP_EV_SPAWN;
	if (!spawned)
		return true;
	if (!o || !o->exists || !o->count || !t->count)
		return false;
	const struct lp_event *end = lp_graph_event(g, LP_LAST(o));
	return end->kind == LP_EV_END && lp_clock_has(lp_graph_clock(g, LP_LAST(t), LP_CLOCK_HB), end);
}

static bool is_harmless(struct lp_explorer *x, const struct question *q)
{
	const struct lp_fingerprint f = print_question(q);
	uint32_t same = q->live ? lp_seen_number(&x->local.undone.known, f) : UINT32_MAX;

	if (is_impossible(x, &x->ops.op.at[q->op].op, q->key->put))
		return true;
	if (same == UINT32_MAX) {
		same = is_all_the_same(x, q);
		if (q->live)
			lp_seen_put(&x->local.undone.known, f, same);
	} else {
		LP_AGREES(is_all_the_same(x, q) == (same != 0)); /* the live state and the operation determine the
		                                                  * result */
	}
	return same || comes_back(x, q);
}

/* Does the operation read bytes of the pair's location? */
static bool meets(const struct lp_op *op, const struct lp_undone_key *key)
{
	return op->loc < key->address + key->size && key->address < op->loc + op->size;
}

static bool is_exactly(const struct lp_op *op, const struct lp_undone_key *key)
{
	return op->loc == key->address && op->size == key->size;
}

void lp_undone_read(struct lp_explorer *x, lp_tid thread, uint32_t id, uint32_t live)
{
	struct lp_undone_pairs *pairs = pairs_of(x);
	const struct lp_undone_pair *p;

	LP_HOLDS(id < x->ops.op.count && thread < lp_top(x)->g.threads.count);
	for (uint32_t i = 0; pairs && (p = lp_undone_pair_at(pairs, i)); i++) {
		const struct lp_op op = x->ops.op.at[id].op; /* a copy, because trials add
		                                              * operations */
		if (!meets(&op, &p->key) || p->key.thread == thread || p->dead || atomic_load(&p->spoilt) ||
		    is_ordered(&lp_top(x)->g, thread, p->key.thread))
			continue;
		if (!is_exactly(&op, &p->key) || !is_harmless(x, &(struct question){ thread, id, live, i, &p->key }))
			lp_undone_pair_spoil(pairs, p);
	}
}

void lp_undone_note(const struct lp_explorer *x, lp_eid e)
{
	const struct lp_event *event = lp_graph_event(&x->frames.at[x->depth - 1]->g, e);

	if (event->order == LP_SC && is_weak(x) && x->answers)
		lp_undone_pairs_give_up(lp_answers_undone(x));
}

/* ---- condition 4 ---- */

void lp_undone_weaken(struct lp_explorer *x, struct lp_event *read)
{
	const struct lp_graph *g = &lp_top(x)->g;
	struct lp_undone_pairs *pairs = is_weak(x) ? pairs_of(x) : NULL;
	const uintptr_t address = x->ops.op.at[read->op].op.loc;
	const struct lp_undone_pair *p;
	bool known = false, taken_back = false;
	uintptr_t place;
	lp_tid owner;

	LP_HOLDS(read->kind == LP_EV_READ && (read->rf == LP_INIT || lp_graph_event(g, read->rf)->loc == read->loc));
	LP_HOLDS(read->faint == LP_FAINT_NOT);
	if (!pairs || read->rf == LP_INIT || read->order == LP_SC || !lp_order_acquires(read->order) ||
	    g->ev.at[read->rf].thread == read->thread)
		return;
	for (uint32_t i = 0; (p = lp_undone_pair_at(pairs, i)); i++) {
		known |= p->key.address == address && !p->dead;
		taken_back |= p->key.address == address && !p->dead && lp_value_equal(p->key.put, read->value);
	}
	const bool own = owner_of(x, read->value, &owner, &place) && owner == g->ev.at[read->rf].thread;
	if (!known || !(own || taken_back))
		return;
	read->faint = own ? LP_FAINT_EARLY : LP_FAINT_NOTHING;
	read->order = (uint8_t)x->model->order(LP_EV_READ, LP_RLX);
	LP_HOLDS(!lp_order_acquires(read->order));
}

enum lp_order lp_undone_order(const struct lp_explorer *x, const struct lp_event *read)
{
	LP_HOLDS(read->kind == LP_EV_READ && (!read->faint || x->ops.op.at[read->op].op.kind == LP_OP_LOAD));
	return read->faint ? x->model->order(LP_EV_READ, x->ops.op.at[read->op].op.order) : (enum lp_order)read->order;
}

bool lp_undone_is_doubtful(const struct lp_explorer *x)
{
	struct lp_undone_pairs *pairs = is_weak(x) ? pairs_of(x) : NULL;
	const struct lp_undone_pair *p;

	for (uint32_t i = 0; pairs && (p = lp_undone_pair_at(pairs, i)); i++)
		if (!p->dead)
			return true;
	return false;
}

void lp_undone_loosen(const struct lp_explorer *x, struct lp_event *read, uint32_t live)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	const struct lp_thread *t = &g->threads.at[read->thread];

	LP_HOLDS(read->kind == LP_EV_READ && read->index == t->count); /* it is not added yet */
	if (!live || read->order == LP_SC || !lp_undone_is_doubtful(x))
		return;
	for (uint32_t i = 0; i < read->index; i++)
		if (lp_graph_event(g, t->at[i])->late)
			return;
	read->loose = true;
}
