/* deque_run.c -- the depth-first search, with one deque that is changed and restored. */
#include "check/history/fast/deque_run.h"

#include <string.h>

#include "base/fingerprints.h"

enum { SLOTS = 64, TRAIL = 1 << 20, MOST_BLAMED = 64, MOST_LOOKED_AT = 4096 };

/* How a value leaves: by an end (enum lp_deque_end), not at all, or in an unknown way. */
enum { STAYS = 2, ANYHOW = 3 };

/* A value in the deque.  For each end, consider this value and all values behind it, seen from that end.  first[end] is
 * the one of their removals by that end that ends first, and last[end] is the one of their removals by the other end
 * that starts last; LP_NO_OP if there is none.  Values that are inserted at the other end later are not taken into
 * account. */
struct item {
	uint32_t push;
	uint32_t first[2], last[2];
};

enum effect { NONE, PUSHED, POPPED };

/* An operation that took effect. */
struct entry {
	uint32_t rank; /* the rank of the end of a call at which it took effect */
	uint8_t slot;
	uint8_t effect;
	uint8_t end;
	bool forced;     /* without alternatives: D3, D4 */
	struct item was; /* the removed item */
};

struct run {
	const struct lp_deque *d;
	const struct lp_problem *p;
	uint32_t rank;

	uint32_t open[SLOTS];
	uint8_t *slot; /* for each operation that has started, its slot */
	uint64_t busy, done;

	struct item *items; /* a ring */
	uint32_t front, count, mask;
	uint32_t leaving[4]; /* the number of values in the deque for each way to leave */
	struct lp_fingerprint neighbours;

	struct entry *trail; /* a ring of the last entries */
	uint64_t length, lost;
	struct lp_fingerprints failed;
	uint32_t failures, blamed_at;
	struct lp_deque_found *found;
};

static uint32_t way_out(const struct run *r, uint32_t push)
{
	const uint32_t pop = r->d->partner[push];
	enum lp_deque_end end;

	if (pop == LP_NO_OP)
		return r->d->may_be_taken ? ANYHOW : STAYS;
	lp_deque_act(r->d, pop, &end);
	return end;
}

static struct item *outermost(const struct run *r, uint32_t end)
{
	return &r->items[(end == LP_DEQUE_FRONT ? r->front : r->front + r->count - 1) & r->mask];
}

/* Updates the fingerprint of the deque.  Since all values are different, the pairs of neighbours and the two outermost
 * values determine the deque. */
static void toggle_neighbours(struct run *r, uint32_t end, uint32_t outer, uint32_t inner, bool in)
{
	const uint64_t front = end == LP_DEQUE_FRONT ? outer : inner, back = end == LP_DEQUE_FRONT ? inner : outer;
	const uint64_t a = lp_mix((front << 32 | back) + UINT64_C(0x51ed270b7a5f1c35));
	const uint64_t b = lp_mix(a ^ UINT64_C(0xd6e8feb86659fd93));

	r->neighbours.a += in ? a : -a;
	r->neighbours.b += in ? b : -b;
}

static struct lp_fingerprint print_of(const struct run *r)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, (uint64_t)r->rank << 32 | r->count);
	lp_fingerprint_word(&f, r->done);
	lp_fingerprint_word(&f, r->neighbours.a);
	lp_fingerprint_word(&f, r->neighbours.b);
	lp_fingerprint_word(&f, r->count ? outermost(r, LP_DEQUE_FRONT)->push : LP_NO_OP);
	return f;
}

static void make_room(struct run *r)
{
	const uint32_t room = 2 * (r->mask + 1);
	struct item *items = lp_alloc(sizeof *items * room);

	for (uint32_t i = 0; i < r->count; i++)
		items[i] = r->items[(r->front + i) & r->mask];
	lp_free(r->items);
	r->items = items;
	r->front = 0;
	r->mask = room - 1;
}

static void put(struct run *r, uint32_t end, struct item item)
{
	if (r->count > r->mask)
		make_room(r);
	if (r->count)
		toggle_neighbours(r, end, item.push, outermost(r, end)->push, true);
	r->front -= end == LP_DEQUE_FRONT;
	r->count++;
	r->leaving[way_out(r, item.push)]++;
	*outermost(r, end) = item;
}

static struct item take(struct run *r, uint32_t end)
{
	const struct item item = *outermost(r, end);

	r->leaving[way_out(r, item.push)]--;
	r->front += end == LP_DEQUE_FRONT;
	r->count--;
	if (r->count)
		toggle_neighbours(r, end, item.push, outermost(r, end)->push, false);
	return item;
}

static uint32_t ends_first(const struct run *r, uint32_t a, uint32_t b)
{
	if (a == LP_NO_OP || b == LP_NO_OP)
		return a == LP_NO_OP ? b : a;
	return r->p->ops[a].end < r->p->ops[b].end ? a : b;
}

static uint32_t starts_last(const struct run *r, uint32_t a, uint32_t b)
{
	if (a == LP_NO_OP || b == LP_NO_OP)
		return a == LP_NO_OP ? b : a;
	return r->p->ops[a].start > r->p->ops[b].start ? a : b;
}

static void put_new(struct run *r, uint32_t end, uint32_t push)
{
	const uint32_t way = way_out(r, push), pop = r->d->partner[push];
	struct item item = { .push = push };

	for (uint32_t e = 0; e < 2; e++) {
		item.first[e] = way == e ? pop : LP_NO_OP;
		item.last[e] = way == !e ? pop : LP_NO_OP;
	}
	if (r->count) {
		item.first[end] = ends_first(r, item.first[end], outermost(r, end)->first[end]);
		item.last[end] = starts_last(r, item.last[end], outermost(r, end)->last[end]);
	}
	put(r, end, item);
}

/* Records the operation as a cause of the failure, if this is the latest rank that the search has reached. */
static bool blame(struct run *r, uint32_t op)
{
	struct lp_deque_found *found = r->found;

	if (r->rank < r->blamed_at || op == LP_NO_OP)
		return false;
	if (r->rank > r->blamed_at)
		found->blamed.count = 0;
	r->blamed_at = r->rank;
	for (uint32_t i = 0; i < found->blamed.count; i++)
		if (found->blamed.at[i] == op)
			return false;
	if (found->blamed.count < MOST_BLAMED)
		LP_PUSH(&found->blamed, op);
	return false;
}

/* If a call said that the deque is empty, blames a value that was certainly present. */
static bool blame_content(struct run *r, uint32_t op)
{
	const struct lp_history_op *ops = r->p->ops;

	for (uint32_t i = 0; i < r->count && i < MOST_LOOKED_AT; i++) {
		const uint32_t push = r->items[(r->front + i) & r->mask].push, pop = r->d->partner[push];
		if (ops[push].end < ops[op].start && (pop == LP_NO_OP || ops[pop].start > ops[op].end))
			return blame(r, push);
	}
	return blame(r, outermost(r, LP_DEQUE_FRONT)->push);
}

/* D1 */
static bool can_lie_there(struct run *r, uint32_t end, uint32_t push)
{
	const struct lp_history_op *ops = r->p->ops;
	const uint32_t way = way_out(r, push), pop = r->d->partner[push];

	if (!r->count || way == ANYHOW)
		return true;
	const struct item *next = outermost(r, end);
	if (way == end)
		return next->first[end] == LP_NO_OP || ops[pop].start < ops[next->first[end]].end ||
		       blame(r, next->first[end]);
	if (r->leaving[end])
		return blame(r, next->first[end]);
	if (way == STAYS)
		return true;
	if (r->leaving[STAYS])
		return blame(r, next->push);
	return next->last[end] == LP_NO_OP || ops[next->last[end]].start < ops[pop].end || blame(r, next->last[end]);
}

/* D2 for two values that are inserted at the same end. */
static bool can_lie_on(const struct run *r, uint32_t end, uint32_t push, uint32_t under)
{
	const struct lp_history_op *ops = r->p->ops;
	const uint32_t way = way_out(r, push), way_under = way_out(r, under);

	if (way == ANYHOW || way_under == ANYHOW)
		return true;
	if (way == end)
		return way_under != end || ops[r->d->partner[push]].start < ops[r->d->partner[under]].end;
	if (way_under == end || way == STAYS)
		return way_under != end;
	return way_under != STAYS && ops[r->d->partner[under]].start < ops[r->d->partner[push]].end;
}

/* Is it certain that `push` is inserted while the value of `under` is present? */
static bool meets(const struct run *r, uint32_t push, uint32_t under)
{
	const struct lp_history_op *ops = r->p->ops;
	const uint32_t pop = r->d->partner[push], gone = r->d->partner[under];
	const bool may_fail = ops[push].results == LP_RESULT_UNKNOWN ? r->p->spec.param[0] : !ops[push].result;
	uint32_t end = ops[push].end;

	if (pop == LP_NO_OP && may_fail)
		return false;
	if (pop != LP_NO_OP && ops[pop].end < end)
		end = ops[pop].end;
	return end != LP_NEVER && (gone == LP_NO_OP || end < ops[gone].start);
}

/* D2 */
static bool leaves_room(struct run *r, uint32_t end, uint32_t push)
{
	for (uint64_t left = r->busy & ~r->done; left; left &= left - 1) {
		const uint32_t other = r->open[__builtin_ctzll(left)];
		enum lp_deque_end side;
		if (other != push && lp_deque_act(r->d, other, &side) == LP_DEQUE_PUSH && side == end &&
		    meets(r, other, push) && !can_lie_on(r, end, other, push))
			return false;
	}
	return true;
}

static bool push_can(struct run *r, uint32_t op, uint32_t end, enum effect *effect)
{
	const struct lp_history_op *o = &r->p->ops[op];
	const int64_t *param = r->p->spec.param; /* bounded, blocking */
	const bool full = param[0] && r->count >= param[0];

	*effect = full ? NONE : PUSHED;
	if (full && param[1])
		return false;
	if (o->results != LP_RESULT_UNKNOWN && o->result == full)
		return false;
	return full || (can_lie_there(r, end, op) && leaves_room(r, end, op));
}

static bool pop_can(struct run *r, uint32_t op, uint32_t end, enum effect *effect)
{
	const struct lp_history_op *o = &r->p->ops[op];

	*effect = r->count ? POPPED : NONE;
	if (!r->count)
		return !r->p->spec.param[1] && (o->results == LP_RESULT_UNKNOWN || o->result == LP_EMPTY);
	if (o->results == LP_RESULT_UNKNOWN) /* values whose removal is known are taken by other calls */
		return way_out(r, outermost(r, end)->push) == ANYHOW;
	if (o->result == LP_EMPTY)
		return blame_content(r, op);
	return r->d->partner[op] == outermost(r, end)->push || blame(r, outermost(r, end)->push);
}

/* Can the operation take effect now? */
static bool can(struct run *r, uint32_t op, enum effect *effect, enum lp_deque_end *end)
{
	const struct lp_history_op *o = &r->p->ops[op];
	const enum lp_deque_act act = lp_deque_act(r->d, op, end);

	if (act == LP_DEQUE_PUSH)
		return push_can(r, op, *end, effect);
	if (act == LP_DEQUE_POP)
		return pop_can(r, op, *end, effect);
	*effect = NONE;
	return o->results == LP_RESULT_UNKNOWN || o->result == !r->count || (o->result && blame_content(r, op));
}

/* Does the result of the operation say that it changes nothing? */
static bool is_observer(const struct run *r, uint32_t op)
{
	const struct lp_history_op *o = &r->p->ops[op];
	enum lp_deque_end end;
	const enum lp_deque_act act = lp_deque_act(r->d, op, &end);

	return act == LP_DEQUE_ASK ||
	       (o->results != LP_RESULT_UNKNOWN && o->result == (act == LP_DEQUE_PUSH ? 0 : LP_EMPTY));
}

static bool is_known_removal(const struct run *r, uint32_t op)
{
	enum lp_deque_end end;

	return r->d->partner[op] != LP_NO_OP && lp_deque_act(r->d, op, &end) == LP_DEQUE_POP;
}

static void place(struct run *r, uint32_t slot, enum effect effect, enum lp_deque_end end, bool forced)
{
	struct entry e = { .rank = r->rank, .slot = (uint8_t)slot, .effect = (uint8_t)effect, .end = (uint8_t)end,
			   .forced = forced };

	if (effect == PUSHED)
		put_new(r, end, r->open[slot]);
	else if (effect == POPPED)
		e.was = take(r, end);
	r->done |= UINT64_C(1) << slot;
	r->trail[r->length++ % TRAIL] = e;
	if (r->length - r->lost > TRAIL)
		r->lost++;
}

/* D3, D4 */
static bool place_forced(struct run *r)
{
	for (uint64_t left = r->busy & ~r->done; left; left &= left - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctzll(left), op = r->open[slot];
		enum lp_deque_end end;
		enum effect effect;
		if (!is_observer(r, op) && (r->d->tells_content || !is_known_removal(r, op)))
			continue;
		if (can(r, op, &effect, &end)) {
			place(r, slot, effect, end, true);
			return true;
		}
	}
	return false;
}

/* Returns the end of the deque at which the value of the call that ends now was inserted. */
static uint32_t end_in_question(const struct run *r)
{
	const uint32_t op = r->p->events[r->rank] / 2;
	enum lp_deque_end end;

	lp_deque_act(r->d, is_known_removal(r, op) ? r->d->partner[op] : op, &end);
	return end;
}

/* The order in which calls are tried.  Known removals come first.  Then come insertions at the end in question, those
 * first whose values should be deepest: values that leave by the other end, the first to leave first; values that stay;
 * values that leave by this end, the first to leave last.  All other calls come last.  Overlapping removals are assumed
 * to be in the order of their ends.  This is a heuristic, which may be wrong. */
static uint64_t turn_of(const struct run *r, uint32_t slot)
{
	const uint32_t op = r->open[slot];
	enum lp_deque_end end;
	uint64_t group = 5, value = r->p->ops[op].end;

	if (is_known_removal(r, op)) {
		group = 1;
	} else if (lp_deque_act(r->d, op, &end) == LP_DEQUE_PUSH && end == end_in_question(r)) {
		const uint32_t way = way_out(r, op);
		group = way == end ? 4 : way < 2 ? 2 : 3;
		if (way < 2)
			value = r->p->ops[r->d->partner[op]].end;
		if (way == end)
			value = UINT32_MAX - value;
	}
	return group << 40 | value << 6 | slot;
}

/* The next call to try, or SLOTS. */
static uint32_t next_slot(const struct run *r, uint64_t after)
{
	uint64_t best = UINT64_MAX;
	uint32_t slot = SLOTS;

	for (uint64_t left = r->busy & ~r->done; left; left &= left - 1) {
		const uint32_t s = (uint32_t)__builtin_ctzll(left);
		const uint64_t turn = turn_of(r, s);
		if (turn > after && turn < best) {
			best = turn;
			slot = s;
		}
	}
	return slot;
}

static void undo(struct run *r)
{
	const struct entry *e = &r->trail[--r->length % TRAIL];

	if (e->effect == PUSHED)
		take(r, e->end);
	else if (e->effect == POPPED)
		put(r, e->end, e->was);
	r->done &= ~(UINT64_C(1) << e->slot);
}

/* Lets the next call after `after` take effect that can; returns false if there is none. */
static bool place_next(struct run *r, uint64_t after)
{
	for (uint32_t slot; (slot = next_slot(r, after)) < SLOTS; after = turn_of(r, slot)) {
		enum lp_deque_end end;
		enum effect effect;
		const uint32_t op = r->open[slot];
		if (!can(r, op, &effect, &end) || (effect == NONE && lp_op_is_pending(&r->p->ops[op])))
			continue;
		place(r, slot, effect, end, false);
		if (!r->failed.count || !lp_fingerprints_have(&r->failed, print_of(r)))
			return true;
		undo(r);
	}
	return false;
}

/* Is it a pending insertion that can be left out without affecting other calls? */
static bool is_idle(const struct run *r, uint32_t op)
{
	enum lp_deque_end end;

	return lp_op_is_pending(&r->p->ops[op]) && r->d->partner[op] == LP_NO_OP && !r->d->may_be_taken &&
	       !r->d->tells_content && lp_deque_act(r->d, op, &end) == LP_DEQUE_PUSH;
}

/* Moves on to the next end of a call that has not taken effect.  Returns false if there is none, or if too many calls
 * are open. */
static bool advance(struct run *r)
{
	for (; r->rank < r->p->ranks; r->rank++) {
		const uint32_t op = r->p->events[r->rank] / 2;
		if (r->p->events[r->rank] & 1) {
			const uint64_t bit = UINT64_C(1) << r->slot[op];
			if (!(r->done & bit))
				return true;
			r->busy &= ~bit;
			r->done &= ~bit;
		} else if (!is_idle(r, op)) {
			if (!~r->busy)
				return false;
			r->slot[op] = (uint8_t)__builtin_ctzll(~r->busy);
			r->open[r->slot[op]] = op;
			r->busy |= UINT64_C(1) << r->slot[op];
		}
	}
	return false;
}

static void retreat(struct run *r, uint32_t rank)
{
	while (r->rank > rank) {
		const uint32_t event = r->p->events[--r->rank], op = event / 2;
		if (is_idle(r, op))
			continue;
		const uint64_t bit = UINT64_C(1) << r->slot[op];
		r->busy = event & 1 ? r->busy | bit : r->busy & ~bit;
		if (event & 1)
			r->done |= bit;
		r->open[r->slot[op]] = op;
	}
}

static void note_failure(struct run *r)
{
	r->failures++;
	if (r->rank > r->found->furthest) {
		r->found->furthest = r->rank;
		r->failures = 1;
	}
}

/* Goes back to the last choice, which was wrong; calls after `*after` are to be tried instead.  Returns false if there
 * is no choice. */
static bool go_back(struct run *r, uint64_t *after)
{
	while (r->length > r->lost) {
		const struct entry e = r->trail[(r->length - 1) % TRAIL];
		retreat(r, e.rank);
		if (!e.forced)
			lp_fingerprints_add(&r->failed, print_of(r));
		undo(r);
		if (e.forced)
			continue;
		*after = turn_of(r, e.slot);
		return true;
	}
	return false;
}

static enum lp_deque_answer search(struct run *r, uint32_t most)
{
	uint64_t after = 0;

	for (uint32_t step = 0; lp_problem_is_wanted(r->p, step); step++) {
		if (!advance(r))
			return r->rank == r->p->ranks ? LP_DEQUE_RIGHT : LP_DEQUE_UNKNOWN;
		if (place_forced(r) || place_next(r, after)) {
			after = 0;
			continue;
		}
		note_failure(r);
		if (r->failures > most)
			return LP_DEQUE_UNKNOWN;
		if (!go_back(r, &after))
			return r->lost ? LP_DEQUE_UNKNOWN : LP_DEQUE_WRONG;
	}
	return LP_DEQUE_UNKNOWN;
}

enum lp_deque_answer lp_deque_run(const struct lp_deque *d, uint32_t failures, struct lp_deque_found *found)
{
	enum { FEW = 64 };
	struct run r = { .d = d, .p = d->p, .found = found, .mask = FEW - 1 };
	const uint32_t length = d->p->count < TRAIL ? d->p->count : TRAIL;

	r.slot = lp_alloc(d->p->count + 1);
	r.items = lp_alloc(sizeof *r.items * FEW);
	r.trail = lp_alloc(sizeof *r.trail * (length + 1));
	const enum lp_deque_answer answer = search(&r, failures);
	lp_free(r.slot);
	lp_free(r.items);
	lp_free(r.trail);
	lp_fingerprints_close(&r.failed);
	return answer;
}
