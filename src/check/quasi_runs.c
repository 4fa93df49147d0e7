/* quasi_runs.c -- quasi-linearizability where only the right run has to be searched for.
 *
 * The order of a history is that of intervals: a precedes b iff a ends before b starts.
 * If classes have no call in common, the two orders of quasi.h come apart: P exists iff
 * each class c by itself has an order P_c that keeps the history's order and is close to
 * the places in R.  For suppose that the P_c and the history's order form a cycle, as
 * short as can be: it alternates between them,
 *
 *     a1 P b1 < a2 P b2 < ... < a1
 *
 * and a P b implies that b does not precede a, so start(a1) <= end(b1) < start(a2) <= ...
 * < start(a1), which cannot be.
 *
 * And P_c is no search: an operation at place j of R has to get a slot from j - Q to
 * j + Q, after its predecessors.  These are unit jobs with release times, deadlines and
 * precedence on one machine, where taking the most urgent one that is available is
 * optimal, if operations are as urgent as what has to wait for them.  Slot i is decided as
 * soon as R has placed all that can get it; of a class, at most Q operations then wait
 * for a slot.  If none is available, or the one taken is too late, there is no P_c.
 *
 * So only R is searched for, memoised on its set of operations, the state, and the places
 * of those that wait.
 *
 * *Lazy runs.*  Only the order within classes counts.  So where insertions and removals
 * are of different classes, and there is nothing else, insertions of R can wait until they
 * are needed: before a removal comes what R inserted up to its value, and no more; what is
 * never removed comes at the end.
 *
 *     R      enq(1) enq(2) enq(3) deq->1 deq->2          enq(1) enq(2) enq(3) pop->3 pop->1
 *     lazy   enq(1) deq->1 enq(2) deq->2 enq(3)          the same: all of it is needed for 3
 *
 * It is accepted by stacks, queues and priority queues without bound: a removal sees fewer
 * values than in R, but the one it takes, and that is still the first, last, or least of
 * them; and where R was empty, so is this.  In a lazy run, the removal after an insertion
 * takes the value just inserted.  Hence the state hardly ever holds values whose order
 * is still to be seen, of which there are exponentially many: a hundred calls of two
 * threads could not be decided before.
 */
#include "check/quasi.h"

#include <string.h>

#include "base/fingerprints.h"
#include "base/hash.h"
#include "check/sort.h"

struct group {
	uint32_t factor;
	uint32_t *by_start; /* its operations; `low` grows along it */
	uint32_t *by_end;   /* those that returned; `high` grows along it */
	uint32_t size, returned;
	uint32_t starts, ends; /* all before these are in R */
	uint32_t in_run;    /* its place for the next one */
	uint32_t slots;     /* decided */
	struct {
		LP_VEC(uint32_t);
	} waiting;          /* in R, without a slot */
};

struct undo {
	uint32_t group, slots, starts, ends;
	uint32_t waiting; /* how many are kept in `kept` */
};

struct frame {
	uint32_t first, next, end; /* what can come here, in `candidates` */
	bool placed;
	uint32_t op;
	uint32_t state, words, kept;
	struct undo undo;
	uint64_t set[2];
};

struct candidate {
	uint32_t op, choice;
};

struct runs {
	const struct lp_problem *p;
	const struct lp_search_limits *limits;
	struct lp_search *found;
	struct group groups[LP_MAX_CLASSES];
	uint32_t group_count;
	uint32_t *group_of;    /* of an operation */
	uint32_t *low, *high;  /* bounds of its slot, from those before and behind it */
	uint32_t *place;       /* in R, within its group */
	bool *in_run;
	uint32_t left;         /* returned, and not in R */
	bool lazy;             /* insertions wait until they are needed */
	const struct group *removals; /* if lazy; NULL: there are none */
	bool is_queue;
	uint32_t *inserted_by; /* of a removal: the insertion of its value, or LP_NO_OP; or NULL */
	struct lp_state state, trial;
	struct {
		LP_VEC(struct frame);
	} frames;
	struct {
		LP_VEC(struct candidate);
	} candidates, run;
	struct {
		LP_VEC(int64_t);
	} words;
	struct {
		LP_VEC(uint32_t);
	} kept;                /* what waited before a step */
	struct lp_fingerprints seen;
	uint64_t set[2], rounds;
};

static bool precedes(const struct runs *r, uint32_t a, uint32_t b)
{
	return r->p->ops[a].end < r->p->ops[b].start; /* LP_NEVER is above all */
}

/* The last slot that will do, for it and for those that wait for it. */
static uint64_t deadline(const struct runs *r, const struct group *g, uint32_t op)
{
	uint64_t last = (uint64_t)r->place[op] + g->factor;

	/* Who waits for it is later in R, or among those that wait for a slot.  Of a chain
	 * each one is a step less: interval orders of Q operations are small, go deep. */
	for (uint32_t i = 0; i < g->waiting.count; i++) {
		const uint32_t next = g->waiting.at[i];
		if (!precedes(r, op, next))
			continue;
		const uint64_t theirs = deadline(r, g, next);
		if (theirs <= last)
			last = theirs ? theirs - 1 : 0;
	}
	return last;
}

static bool is_available(const struct runs *r, const struct group *g, uint32_t op)
{
	if (r->place[op] > g->slots && r->place[op] - g->slots > g->factor)
		return false; /* not yet */
	if (g->ends < g->returned && precedes(r, g->by_end[g->ends], op))
		return false;
	for (uint32_t w = 0; w < g->waiting.count; w++)
		if (precedes(r, g->waiting.at[w], op))
			return false;
	return true;
}

/* Gives the next slot to the most urgent one.  False if nobody can have it. */
static bool decide_slot(struct runs *r, struct group *g)
{
	uint32_t best = UINT32_MAX;
	uint64_t urgent = UINT64_MAX;

	for (uint32_t i = 0; i < g->waiting.count; i++) {
		if (!is_available(r, g, g->waiting.at[i]))
			continue;
		const uint64_t last = deadline(r, g, g->waiting.at[i]);
		if (last < urgent) {
			urgent = last;
			best = i;
		}
	}
	if (best == UINT32_MAX || urgent < g->slots)
		return false;
	memmove(g->waiting.at + best, g->waiting.at + best + 1,
		sizeof *g->waiting.at * (--g->waiting.count - best));
	g->slots++;
	return true;
}

static bool is_limited(const struct group *g)
{
	return g->factor != LP_ANY_DISTANCE;
}

/* All slots for which R has placed everybody; at the end, all. */
static bool decide_slots(struct runs *r, struct group *g, bool last)
{
	while (g->waiting.count && (last || g->in_run > (uint64_t)g->slots + g->factor))
		if (!decide_slot(r, g))
			return false;
	return true;
}

/* Somebody who is not in R yet can no longer get a slot that is early enough: if
 * anybody, then the first one to end. */
static bool is_missed(const struct runs *r, const struct group *g)
{
	return g->ends < g->returned &&
	       (uint64_t)r->high[g->by_end[g->ends]] + g->factor < g->in_run;
}

static void advance(const struct runs *r, struct group *g)
{
	while (g->starts < g->size && r->in_run[g->by_start[g->starts]])
		g->starts++;
	while (g->ends < g->returned && r->in_run[g->by_end[g->ends]])
		g->ends++;
}

static enum lp_answer try_op(struct runs *r, uint32_t op, uint32_t choice)
{
	struct lp_spec_call call = lp_problem_call(r->p, op);

	call.choice = choice;
	r->found->steps++;
	lp_state_copy(&r->trial, &r->state);
	return lp_spec_step(&r->p->spec, r->p->ops[op].method, &r->trial, &call);
}

static void offer(struct runs *r, uint32_t op)
{
	const bool chooses = lp_op_method(r->p, &r->p->ops[op])->roles & LP_CHOOSES;

	for (uint32_t choice = 0; try_op(r, op, choice) == LP_ACCEPTS; choice++) {
		LP_PUSH(&r->candidates, (struct candidate){ op, choice });
		if (!chooses)
			break;
	}
}

/* Those that end first come first: in real histories R is not far from that. */
static void sort_candidates(struct runs *r, uint32_t first)
{
	struct candidate *at = r->candidates.at;

	for (uint32_t i = first + 1; i < r->candidates.count; i++) {
		const struct candidate c = at[i];
		uint32_t j = i;
		for (; j > first && r->p->ops[at[j - 1].op].end > r->p->ops[c.op].end; j--)
			at[j] = at[j - 1];
		at[j] = c;
	}
}

static bool inserts(const struct runs *r, uint32_t op)
{
	return lp_op_method(r->p, &r->p->ops[op])->roles & LP_INSERTS;
}

/* Is there a removal that can come next, but for its value, which is not there yet? */
static bool is_insertion_needed(const struct runs *r)
{
	const struct group *g = r->removals;

	if (!g || !r->inserted_by)
		return true;
	for (uint32_t i = g->starts; i < g->size; i++) {
		const uint32_t op = g->by_start[i];
		if (r->low[op] > (uint64_t)g->in_run + g->factor)
			break;
		if (r->in_run[op])
			continue;
		if (r->p->ops[op].results != 1)
			return true; /* it may take any value */
		if (r->inserted_by[op] != LP_NO_OP && !r->in_run[r->inserted_by[op]])
			return true;
	}
	return g->ends == g->returned; /* the rest is never removed */
}

/* What no lazy run goes on with: insertions, removals of other values than `last`. */
struct hasty {
	bool insertions, others;
	int64_t last;
};

static struct hasty find_hasty(const struct runs *r)
{
	struct hasty hasty = { 0 };

	if (!r->lazy)
		return hasty;
	hasty.insertions = !is_insertion_needed(r);
	if (r->run.count && inserts(r, LP_LAST(&r->run).op)) {
		hasty.others = true;
		hasty.last = r->p->ops[LP_LAST(&r->run).op].arg;
		/* What is in a queue now is not removed by the next removal: it stays. */
		hasty.insertions |= r->is_queue && r->removals &&
				    r->removals->ends < r->removals->returned;
	}
	return hasty;
}

static bool is_hasty(const struct runs *r, struct hasty hasty, uint32_t op)
{
	const struct lp_op *o = &r->p->ops[op];

	if (inserts(r, op))
		return hasty.insertions;
	return hasty.others && o->results == 1 && o->result != hasty.last;
}

static void add_frame(struct runs *r)
{
	struct frame f = { .first = r->candidates.count, .next = r->candidates.count };
	const struct hasty hasty = find_hasty(r);

	for (uint32_t i = 0; i < r->group_count; i++) {
		const struct group *g = &r->groups[i];
		for (uint32_t j = g->starts; j < g->size; j++) {
			const uint32_t op = g->by_start[j];
			if (r->low[op] > (uint64_t)g->in_run + g->factor)
				break;
			if (!r->in_run[op] && !is_hasty(r, hasty, op))
				offer(r, op);
		}
	}
	sort_candidates(r, f.first);
	f.end = r->candidates.count;
	LP_PUSH(&r->frames, f);
}

static void toggle_set(struct runs *r, uint32_t op)
{
	const uint64_t a = lp_mix(op + UINT64_C(0x51ed270b7a5f1c35));

	r->set[0] += a;
	r->set[1] += lp_mix(a ^ UINT64_C(0xd6e8feb86659fd93));
}

static void keep_waiting(struct runs *r, struct frame *f)
{
	const struct group *g = &r->groups[r->group_of[f->op]];

	f->undo = (struct undo){ r->group_of[f->op], g->slots, g->starts, g->ends,
				 g->waiting.count };
	f->kept = r->kept.count;
	for (uint32_t i = 0; i < g->waiting.count; i++)
		LP_PUSH(&r->kept, g->waiting.at[i]);
}

/* Places the operation in R; false if no P can follow. */
static bool place(struct runs *r, struct frame *f, struct candidate c)
{
	struct group *g = &r->groups[r->group_of[c.op]];

	f->op = c.op;
	f->placed = true;
	f->set[0] = r->set[0];
	f->set[1] = r->set[1];
	f->state = r->words.count;
	f->words = r->state.count;
	LP_RESERVE(&r->words, r->state.count);
	memcpy(r->words.at + r->words.count, r->state.at, sizeof *r->state.at * r->state.count);
	r->words.count += r->state.count;
	try_op(r, c.op, c.choice);
	const struct lp_state swap = r->state;
	r->state = r->trial;
	r->trial = swap;

	toggle_set(r, c.op);
	r->in_run[c.op] = true;
	r->left -= !lp_op_is_pending(&r->p->ops[c.op]);
	LP_PUSH(&r->run, c);
	keep_waiting(r, f);
	r->place[c.op] = g->in_run++;
	advance(r, g);
	if (!is_limited(g))
		return true;
	LP_PUSH(&g->waiting, c.op);
	return decide_slots(r, g, false) && !is_missed(r, g);
}

static void take_back(struct runs *r, struct frame *f)
{
	struct group *g = &r->groups[f->undo.group];

	f->placed = false;
	r->set[0] = f->set[0];
	r->set[1] = f->set[1];
	r->state.count = f->words;
	memcpy(r->state.at, r->words.at + f->state, sizeof *r->state.at * f->words);
	r->words.count = f->state;
	r->in_run[f->op] = false;
	r->left += !lp_op_is_pending(&r->p->ops[f->op]);
	r->run.count--;
	g->in_run--;
	g->slots = f->undo.slots;
	g->starts = f->undo.starts;
	g->ends = f->undo.ends;
	g->waiting.count = 0;
	for (uint32_t i = 0; i < f->undo.waiting; i++)
		LP_PUSH(&g->waiting, r->kept.at[f->kept + i]);
	r->kept.count = f->kept;
}

static bool remember(struct runs *r)
{
	struct lp_fingerprint f = LP_FINGERPRINT;
	uint64_t a = 0, b = 0;

	for (uint32_t i = 0; i < r->group_count; i++)
		for (uint32_t w = 0; w < r->groups[i].waiting.count; w++) {
			const uint32_t op = r->groups[i].waiting.at[w];
			const uint64_t x = lp_mix((uint64_t)op << 32 | r->place[op]);
			a += x;
			b += lp_mix(x ^ UINT64_C(0x9e3779b97f4a7c15));
		}
	lp_fingerprint_word(&f, r->set[0]);
	lp_fingerprint_word(&f, r->set[1]);
	lp_fingerprint_word(&f, a);
	lp_fingerprint_word(&f, b);
	for (uint32_t i = 0; i < r->state.count; i++)
		lp_fingerprint_word(&f, (uint64_t)r->state.at[i]);
	return lp_fingerprints_add(&r->seen, f);
}

/* All that returned is in R: do those that wait get slots?  Nothing is changed. */
static bool is_complete(struct runs *r)
{
	bool good = !r->left;

	for (uint32_t i = 0; i < r->group_count && good; i++) {
		struct group *g = &r->groups[i];
		const uint32_t slots = g->slots, count = g->waiting.count, kept = r->kept.count;
		for (uint32_t w = 0; w < count; w++)
			LP_PUSH(&r->kept, g->waiting.at[w]);
		good = decide_slots(r, g, true);
		g->slots = slots;
		g->waiting.count = count;
		if (count)
			memcpy(g->waiting.at, r->kept.at + kept, sizeof *r->kept.at * count);
		r->kept.count = kept;
	}
	return good;
}

static void keep_best(struct runs *r, bool complete)
{
	if (!complete && r->run.count <= r->found->count)
		return;
	r->found->count = r->run.count;
	for (uint32_t i = 0; i < r->run.count; i++) {
		r->found->order[i] = r->run.at[i].op;
		r->found->choice[i] = r->run.at[i].choice;
	}
}

static const char *limit_reached(struct runs *r)
{
	const size_t used = (size_t)r->words.count * sizeof *r->words.at +
			    (size_t)r->candidates.count * sizeof *r->candidates.at;
	const size_t memory = r->limits->memory;

	if (memory && used + lp_fingerprints_size(&r->seen) > memory)
		return "out of memory";
	if (r->limits->steps && r->found->steps > r->limits->steps)
		return "out of steps";
	return ++r->rounds & 255 ? NULL : lp_search_late(r->limits, r->found->steps);
}

static enum lp_finding search(struct runs *r)
{
	if (is_complete(r))
		return LP_CORRECT; /* no call has returned */
	add_frame(r);
	while (r->frames.count) {
		struct frame *f = &LP_LAST(&r->frames);
		if (f->placed)
			take_back(r, f);
		if (f->next == f->end) {
			r->candidates.count = f->first;
			r->frames.count--;
			continue;
		}
		if (!place(r, f, r->candidates.at[f->next++]))
			continue;
		const bool complete = is_complete(r);
		keep_best(r, complete);
		if (complete)
			return LP_CORRECT;
		r->found->limit = limit_reached(r);
		if (r->found->limit)
			return LP_UNDECIDED;
		if (remember(r))
			add_frame(r);
	}
	return LP_WRONG;
}

/* The operations of a group by start, and how many of them end before each starts; then
 * the same backwards. */
static void fill_group(struct runs *r, struct group *g, uint32_t number)
{
	const struct lp_problem *p = r->p;
	uint32_t ended = 0, started = 0;

	g->by_start = lp_alloc(sizeof *g->by_start * p->count);
	g->by_end = lp_alloc(sizeof *g->by_end * p->count);
	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const uint32_t op = p->events[rank] / 2;
		if (r->group_of[op] != number)
			continue;
		if (p->events[rank] & 1) {
			g->by_end[g->returned++] = op;
			ended++;
		} else {
			g->by_start[g->size++] = op;
			r->low[op] = ended;
		}
	}
	/* Behind an operation are those that start after its end, if they returned. */
	for (uint32_t rank = p->ranks; rank-- > 0;) {
		const uint32_t op = p->events[rank] / 2;
		if (r->group_of[op] != number)
			continue;
		if (p->events[rank] & 1)
			r->high[op] = g->size - 1 - started;
		else
			started += !lp_op_is_pending(&p->ops[op]);
	}
}

static bool is_lazy_kind(const struct lp_spec *spec)
{
	static const char *const kinds[] = { "queue", "stack", "priority_queue" };
	const int bounded = lp_spec_param(spec, "bounded");
	bool is = false;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		is |= !strcmp(spec->kind->name, kinds[i]);
	return is && !(bounded >= 0 && spec->param[bounded]) && !lp_spec_has_meetings(spec);
}

/* Which insertion each removal belongs to; not known if a value is inserted twice. */
static void pair_up(struct runs *r)
{
	const uint32_t n = r->p->count;
	int64_t *values = lp_alloc(sizeof *values * n);
	uint32_t *number = lp_alloc(sizeof *number * n), *by = lp_alloc(sizeof *by * n);
	bool twice = false;

	for (uint32_t i = 0; i < n; i++) {
		const struct lp_op *op = &r->p->ops[i];
		values[i] = inserts(r, i) ? op->arg : op->results == 1 ? op->result : LP_EMPTY;
		by[i] = LP_NO_OP;
	}
	lp_number_values(values, n, number);
	for (uint32_t i = 0; i < n; i++)
		if (inserts(r, i)) {
			twice |= by[number[i]] != LP_NO_OP;
			by[number[i]] = i;
		}
	for (uint32_t i = 0; i < n; i++)
		number[i] = by[number[i]];
	r->inserted_by = number;
	if (twice) {
		lp_free(number);
		r->inserted_by = NULL;
	}
	lp_free(values);
	lp_free(by);
}

/* May insertions wait?  Not if anything else is called, or if they share a class with
 * removals. */
static void choose_lazy(struct runs *r)
{
	const struct lp_kind *kind = r->p->spec.kind;
	uint32_t insertions = UINT32_MAX, removals = UINT32_MAX;

	if (!is_lazy_kind(&r->p->spec))
		return;
	for (uint32_t i = 0; i < r->p->count; i++) {
		const unsigned roles = kind->methods[r->p->ops[i].method].roles;
		if (roles & LP_INSERTS)
			insertions = r->group_of[i];
		else if (roles & LP_REMOVES)
			removals = r->group_of[i];
		else
			return;
	}
	r->lazy = insertions != removals;
	pair_up(r);
	r->is_queue = !strcmp(kind->name, "queue");
	if (removals != UINT32_MAX)
		r->removals = &r->groups[removals];
}

static void open_search(struct runs *r, const struct lp_quasi *rule)
{
	const struct lp_problem *p = r->p;

	r->group_count = rule->count;
	r->group_of = lp_alloc(sizeof *r->group_of * p->count);
	r->low = lp_alloc_zero(p->count, sizeof *r->low);
	r->high = lp_alloc_zero(p->count, sizeof *r->high);
	r->place = lp_alloc_zero(p->count, sizeof *r->place);
	r->in_run = lp_alloc_zero(p->count, sizeof *r->in_run);
	for (uint32_t i = 0; i < p->count; i++) {
		r->left += !lp_op_is_pending(&p->ops[i]);
		for (uint32_t c = 0; c < rule->count; c++)
			if (rule->classes[c].methods >> p->ops[i].method & 1)
				r->group_of[i] = c;
	}
	for (uint32_t c = 0; c < rule->count; c++) {
		r->groups[c].factor = rule->classes[c].factor;
		fill_group(r, &r->groups[c], c);
	}
	choose_lazy(r);
	lp_state_open(&r->state);
	lp_state_open(&r->trial);
	lp_state_begin(&r->state, &p->spec);
	LP_RESERVE(&r->words, 1);
}

static void close_search(struct runs *r)
{
	for (uint32_t c = 0; c < r->group_count; c++) {
		lp_free(r->groups[c].by_start);
		lp_free(r->groups[c].by_end);
		lp_free(r->groups[c].waiting.at);
	}
	lp_free(r->group_of);
	lp_free(r->low);
	lp_free(r->high);
	lp_free(r->place);
	lp_free(r->in_run);
	lp_free(r->inserted_by);
	lp_free(r->frames.at);
	lp_free(r->candidates.at);
	lp_free(r->run.at);
	lp_free(r->words.at);
	lp_free(r->kept.at);
	lp_state_close(&r->state);
	lp_state_close(&r->trial);
	lp_fingerprints_close(&r->seen);
}

bool lp_quasi_is_partition(const struct lp_quasi *quasi)
{
	uint64_t all = 0;

	if (quasi->in_place)
		return false;
	for (uint32_t c = 0; c < quasi->count; c++) {
		if (all & quasi->classes[c].methods)
			return false;
		all |= quasi->classes[c].methods;
	}
	return true;
}

enum lp_finding lp_search_quasi_runs(const struct lp_problem *p, const struct lp_quasi *quasi,
				     const struct lp_search_limits *limits, struct lp_search *found)
{
	struct runs *r = lp_alloc_zero(1, sizeof *r);

	*r = (struct runs){ .p = p, .limits = limits, .found = found };
	*found = (struct lp_search){ .order = lp_alloc(sizeof *found->order * p->count),
				     .choice = lp_alloc_zero(p->count, sizeof *found->choice) };
	open_search(r, quasi);
	const enum lp_finding finding = search(r);
	close_search(r);
	lp_free(r);
	return finding;
}
