/* fast_stack.c -- stacks with distinct values, in n log n.
 *
 * Give each value v the interval between the moments it is pushed and popped; a
 * history is linearizable if the moments can be chosen such that any two intervals are disjoint or nested.
 * The core of v is the time from the end of its push to the start of its pop, in which v is
 * certainly present.  A value whose push and pop overlap has no core; it can be popped right
 * after its push, does not affect other values, and is left out.
 *
 *   S1  A gap outside all cores can be made a moment at which the stack is empty:
 *       every value has its core on one side of it.  A value that is present in the gap is
 *       popped just before it, or pushed just after it.  Nested intervals stay nested.
 *
 * So cut time at these gaps.  Pops that found nothing need such a gap.  What remains is a
 * number of independent stretches [a, b] of overlapping cores: a is the end of a push, b is
 * the start of a pop, and in between the stack is never empty.
 *
 *   S2  So some value is at the bottom for the whole stretch: its push starts before a, or
 *       ends at a, and its pop ends after b, or starts at b.  If there is no such value, the
 *       history is wrong.  If there are some, all of them can be pushed at a and popped
 *       at b: everything else is nested in them.
 *
 * Remove those values, and repeat with the cores that remain, from S1 on, until nothing is
 * left.
 *
 * The cores are counted per gap in a tree with addition on ranges and minimum, in
 * which new zeros are found; a second tree finds, in a stretch, the pushes that start
 * before a.  The cost is n log n, plus log n for each push that is open at the beginning of a
 * stretch.  At the beginning of one stretch, at most one push of each thread is open.
 *
 * A value that stays is treated as popped after everything, by a pop that never returns.  If
 * there are pending pops as well, the method is that of fast_priority.c.  There are three kinds
 * of deadlines for a value w:
 *   - v was pushed before the push of w began, and the pop of v began after the push of w
 *     ended: w was above v, and was taken before the pop of v ended;
 *   - the push of w lies within a stretch of the values that do not stay: w was above the
 *     bottom of the stretch, and was taken before the last pop of a possible bottom ended;
 *   - a pop found nothing.
 */
#include "check/history/fast/pairs.h"

#include <string.h>

#include "check/history/fast/pending_removals.h"
#include "check/sort.h"

/* Gaps matter only where the number of cores is a local minimum: after the start of
 * a pop and before the end of a push.  Such a place is a slot.  Slot 0 is before and
 * the last one after everything. */
struct core {
	uint32_t pair;
	uint32_t from, to; /* the slots it covers: from .. to-1 */
};

struct stretch {
	uint32_t left, right; /* the free slots on both sides */
};

/* A stretch [a, b] with a bottom, and the end of the last pop of a possible bottom. */
struct bottomed {
	uint32_t a, b, end;
};

struct bottoms {
	LP_VEC(struct bottomed);
};

struct stack {
	const struct lp_problem *p;
	const struct lp_pairs *s;
	struct core *cores;      /* sorted by the end of the push */
	uint32_t count;
	uint32_t *by_pop;        /* indices of cores, sorted by the start of the pop */
	uint32_t slots;
	uint32_t *first_after;   /* for each slot, the first core whose push ends after it */
	uint32_t *pops_before;   /* for each slot, how many pops start before it */

	/* Trees whose root is node 1, and whose leaves begin at `leaves` or `push_leaves`. */
	uint32_t leaves, push_leaves;
	int32_t *low, *add;      /* the number of cores that cover a slot: its minimum over the subtree, without `add`
				  * of the nodes above */
	uint32_t *push_start;    /* minimum of the starts of pushes; UINT32_MAX: left out */
	uint32_t *next_push;     /* union-find: the first core from here on that is not left out */
	uint32_t *prev_pop;      /* union-find: 1 + the last core, by pop, that is not left out; 0: none */

	struct {
		LP_VEC(struct stretch);
	} todo;
};

static uint32_t find(uint32_t *link, uint32_t at)
{
	while (link[at] != at) {
		link[at] = link[link[at]];
		at = link[at];
	}
	return at;
}

/* Lists the cores by push and by pop and numbers the slots, in one pass over time.
 * The pops of values that stay come last. */
static void lay_out(struct stack *t)
{
	const struct lp_pairs *s = t->s;
	uint32_t *core_of = lp_alloc(sizeof *core_of * s->count);
	uint32_t pops = 0, slot = 0;
	bool after_pop = true; /* slot 0 exists already */

	t->first_after[0] = 0;
	t->pops_before[0] = 0;
	for (uint32_t rank = 0; rank < t->p->ranks; rank++) {
		const uint32_t event = t->p->events[rank];
		const uint32_t i = s->of[event / 2];
		if (i == LP_NO_OP || s->at[i].in_end > s->at[i].out_start)
			continue;
		if (rank == s->at[i].in_end) {
			after_pop = false;
			core_of[i] = t->count;
			t->cores[t->count++] = (struct core){ i, slot + 1, 0 };
		} else if (rank == s->at[i].out_start) {
			t->by_pop[pops++] = core_of[i];
			t->cores[core_of[i]].to = slot + 1;
			/* The slot is after the last of several pops in a row, so each pop moves it on. */
			if (!after_pop)
				slot++;
			after_pop = true;
			t->first_after[slot] = t->count;
			t->pops_before[slot] = pops;
			if (t->cores[core_of[i]].to > slot)
				t->cores[core_of[i]].to = slot;
		}
	}
	for (uint32_t c = 0; c < t->count; c++) {
		if (!t->cores[c].to) {
			t->by_pop[pops++] = c;
			t->cores[c].to = UINT32_MAX;
		}
	}
	if (!after_pop || pops != t->pops_before[slot])
		slot++;
	for (uint32_t c = 0; c < t->count; c++)
		if (t->cores[c].to == UINT32_MAX)
			t->cores[c].to = slot;
	t->first_after[slot] = t->count;
	t->pops_before[slot] = pops;
	t->slots = slot + 1;
	lp_free(core_of);
}

static void build_trees(struct stack *t)
{
	t->leaves = t->push_leaves = 1;
	while (t->leaves < t->slots)
		t->leaves *= 2;
	while (t->push_leaves < t->count)
		t->push_leaves *= 2;
	t->low = lp_alloc_zero((size_t)t->leaves * 2, sizeof *t->low);
	t->add = lp_alloc_zero((size_t)t->leaves * 2, sizeof *t->add);
	t->push_start = lp_alloc(sizeof *t->push_start * 2 * (size_t)t->push_leaves);
	t->next_push = lp_alloc(sizeof *t->next_push * ((size_t)t->count + 1));
	t->prev_pop = lp_alloc(sizeof *t->prev_pop * ((size_t)t->count + 1));

	int32_t *low = t->low + t->leaves;
	for (uint32_t c = 0; c < t->count; c++) {
		if (t->cores[c].from < t->cores[c].to) {
			low[t->cores[c].from]++;
			if (t->cores[c].to < t->slots)
				low[t->cores[c].to]--;
		}
	}
	for (uint32_t i = 1; i < t->slots; i++)
		low[i] += low[i - 1];
	for (uint32_t i = t->slots; i < t->leaves; i++)
		low[i] = INT32_MAX / 2; /* these leaves are no slots */
	for (uint32_t n = t->leaves; n-- > 1;)
		t->low[n] = t->low[2 * n] < t->low[2 * n + 1] ? t->low[2 * n] : t->low[2 * n + 1];

	for (uint32_t c = 0; c < t->push_leaves; c++)
		t->push_start[t->push_leaves + c] =
			c < t->count ? t->s->at[t->cores[c].pair].in_start : UINT32_MAX;
	for (uint32_t n = t->push_leaves; n-- > 1;)
		t->push_start[n] = t->push_start[2 * n] < t->push_start[2 * n + 1] ?
					   t->push_start[2 * n] :
					   t->push_start[2 * n + 1];
	for (uint32_t i = 0; i <= t->count; i++)
		t->next_push[i] = t->prev_pop[i] = i;
}

static void refresh(struct stack *t, uint32_t n)
{
	for (n /= 2; n; n /= 2) {
		const int32_t a = t->low[2 * n], b = t->low[2 * n + 1];
		t->low[n] = (a < b ? a : b) + t->add[n];
	}
}

/* Counts one core less on the slots from .. to-1. */
static void uncover(struct stack *t, uint32_t from, uint32_t to)
{
	if (from >= to)
		return;
	const uint32_t first = from + t->leaves, last = to - 1 + t->leaves;
	uint32_t l = first, r = last + 1;
	for (; l < r; l /= 2, r /= 2) {
		if (l & 1) {
			t->low[l]--;
			t->add[l]--;
			l++;
		}
		if (r & 1) {
			r--;
			t->low[r]--;
			t->add[r]--;
		}
	}
	refresh(t, first);
	refresh(t, last);
}

/* Leaves `core` out; pop_place[core] is its place among the pops. */
static void leave_out(struct stack *t, uint32_t core, const uint32_t *pop_place)
{
	uint32_t n = core + t->push_leaves;

	uncover(t, t->cores[core].from, t->cores[core].to);
	t->push_start[n] = UINT32_MAX;
	for (n /= 2; n; n /= 2)
		t->push_start[n] = t->push_start[2 * n] < t->push_start[2 * n + 1] ?
					   t->push_start[2 * n] :
					   t->push_start[2 * n + 1];
	t->next_push[core] = core + 1;
	t->prev_pop[pop_place[core] + 1] = pop_place[core];
}

/* Of the cores first .. last, those whose push starts before or ends at `a` and whose pop ends after or starts at `b`. */
struct bottom_query {
	uint32_t first, last, a, b;
	const uint32_t *pop_place;
};

/* Leaves out the possible bottoms below the node, which covers low .. high.  Returns the end of the last of their pops;
 * 0 if there are none. */
static uint32_t leave_out_bottoms(struct stack *t, const struct bottom_query *q, uint32_t node, uint32_t low, uint32_t high)
{
	/* The push that ends at a starts before it, and the pop that starts at b ends
	 * after it: no need to treat them apart. */
	if (high < q->first || low > q->last || t->push_start[node] >= q->a)
		return 0;
	if (low == high) {
		const uint32_t ends = t->s->at[t->cores[low].pair].out_end;
		if (ends <= q->b)
			return 0;
		leave_out(t, low, q->pop_place);
		return ends;
	}
	const uint32_t middle = (low + high) / 2;
	const uint32_t left = leave_out_bottoms(t, q, 2 * node, low, middle);
	const uint32_t right = leave_out_bottoms(t, q, 2 * node + 1, middle + 1, high);
	return left > right ? left : right;
}

/* The slots left .. right are cut into stretches; the last stretch so far ends at `last`. */
struct cuts {
	uint32_t left, right, last;
};

/* Makes stretches between the free slots below the node, which covers low .. high.  `above` is the sum of `add` over
 * the nodes above it. */
static void cut(struct stack *t, struct cuts *c, uint32_t node, uint32_t low, uint32_t high, int32_t above)
{
	if (high <= c->left || low >= c->right || t->low[node] + above > 0)
		return;
	if (low == high) {
		LP_PUSH(&t->todo, (struct stretch){ c->last, low });
		c->last = low;
		return;
	}
	const uint32_t middle = (low + high) / 2;
	cut(t, c, 2 * node, low, middle, above + t->add[node]);
	cut(t, c, 2 * node + 1, middle + 1, high, above + t->add[node]);
}

/* Makes all stretches between free slots, from left to right. */
static void cut_all(struct stack *t, uint32_t left, uint32_t right)
{
	struct cuts c = { left, right, left };

	cut(t, &c, 1, 0, t->leaves - 1, 0);
	LP_PUSH(&t->todo, (struct stretch){ c.last, right });
}

/* Can the intervals be nested?  `found` (or NULL) gets the stretches with a bottom.  The result is
 * meaningless if the answer is no longer wanted. */
static bool is_nested(struct stack *t, struct lp_witness *w, struct bottoms *found)
{
	uint32_t *pop_place = lp_alloc(sizeof *pop_place * t->count);
	bool right = true;
	uint32_t step = 0;

	for (uint32_t i = 0; i < t->count; i++)
		pop_place[t->by_pop[i]] = i;
	cut_all(t, 0, t->slots - 1);
	while (t->todo.count && right) {
		if (!lp_problem_is_wanted(t->p, step++)) {
			right = false;
			break;
		}
		const struct stretch now = t->todo.at[--t->todo.count];
		const uint32_t first = find(t->next_push, t->first_after[now.left]);
		if (first >= t->first_after[now.right])
			continue; /* no cores are left in the stretch */
		const uint32_t by_pop = find(t->prev_pop, t->pops_before[now.right]);
		const struct lp_pair *begin = &t->s->at[t->cores[first].pair];
		const struct lp_pair *end = &t->s->at[t->cores[t->by_pop[by_pop - 1]].pair];

		const uint32_t a = begin->in_end, b = end->out_start;
		const struct bottom_query query = { first, t->first_after[now.right] - 1, a, b, pop_place };
		const uint32_t until = leave_out_bottoms(t, &query, 1, 0, t->push_leaves - 1);
		if (until && found)
			LP_PUSH(found, (struct bottomed){ a, b, until });
		if (!until) {
			right = false;
			w->why = "values are popped in an order that no stack has";
			for (uint32_t c = first; c < t->first_after[now.right];
			     c = find(t->next_push, c + 1))
				lp_pairs_witness(t->s, t->cores[c].pair, w);
		}
		cut_all(t, now.left, now.right);
	}
	lp_free(pop_place);
	return right;
}

static bool is_right(const struct lp_pairs *s, const struct lp_problem *p, struct lp_witness *w,
		     struct bottoms *found)
{
	uint32_t *covered = s->empty_count ? lp_pairs_cover(s, p) : NULL;
	const uint32_t full = lp_pairs_full(s, p, covered);
	const size_t most = (size_t)s->count + 2;

	lp_free(covered);
	if (full != LP_NO_OP) {
		w->why = "nothing was found, although a value was present all the time";
		LP_PUSH(w, full);
		lp_pairs_blame(s, p, p->ops[full].start, p->ops[full].end, NULL, w);
		return false;
	}
	struct stack t = { .p = p, .s = s };
	t.cores = lp_alloc(sizeof *t.cores * most);
	t.by_pop = lp_alloc(sizeof *t.by_pop * most);
	t.first_after = lp_alloc(sizeof *t.first_after * most);
	t.pops_before = lp_alloc(sizeof *t.pops_before * most);
	lay_out(&t);
	build_trees(&t);
	const bool right = is_nested(&t, w, found);
	lp_free(t.cores);
	lp_free(t.by_pop);
	lp_free(t.first_after);
	lp_free(t.pops_before);
	lp_free(t.low);
	lp_free(t.add);
	lp_free(t.push_start);
	lp_free(t.next_push);
	lp_free(t.prev_pop);
	lp_free(t.todo.at);
	return right;
}

/* Treats values that stay as if they were popped right after they were pushed. */
static bool is_right_if_taken(const struct lp_pairs *s, const struct lp_problem *p,
			      struct lp_witness *w, struct bottoms *found)
{
	struct lp_pairs free_ones = *s;

	free_ones.at = lp_alloc(sizeof *free_ones.at * s->count);
	memcpy(free_ones.at, s->at, sizeof *s->at * s->count);
	for (uint32_t i = 0; i < s->count; i++)
		if (s->at[i].out == LP_NO_OP)
			free_ones.at[i].out_start = 0;
	const bool right = is_right(&free_ones, p, w, found);
	lp_free(free_ones.at);
	return right;
}

/* Computes the deadlines in the order of time: at the start of a push, the values whose push has ended are
 * below it. */
static uint32_t *deadlines(const struct lp_pairs *s, const struct lp_problem *p,
			   const struct bottoms *found, bool *in_time)
{
	uint32_t *deadline = lp_alloc(sizeof *deadline * s->count);
	struct lp_keyed *by_a = lp_alloc(sizeof *by_a * found->count);
	struct lp_suffixes ends; /* the ends of pops, by start; the last ends of bottoms, by b */
	uint32_t next = 0;

	for (uint32_t i = 0; i < found->count; i++)
		by_a[i] = (struct lp_keyed){ found->at[i].a, i };
	lp_sort_keyed(by_a, found->count);

	lp_suffixes_open(&ends, p->ranks);
	*in_time = lp_pending_removals_empties(s, p, &ends);
	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const uint32_t event = p->events[rank];
		const uint32_t i = s->of[event / 2];
		for (; next < found->count && by_a[next].key == rank; next++) {
			const struct bottomed *here = &found->at[by_a[next].id];
			lp_suffixes_put(&ends, here->b, here->end);
		}
		if (i == LP_NO_OP || s->at[i].in != event / 2)
			continue;
		if (!(event & 1))
			deadline[i] = lp_suffixes_low(&ends, s->at[i].in_end);
		else if (s->at[i].out != LP_NO_OP)
			lp_suffixes_put(&ends, s->at[i].out_start, s->at[i].out_end);
	}
	lp_suffixes_close(&ends);
	lp_free(by_a);
	return deadline;
}

/* Handles pending pops if neither "all values that stay were taken" nor "none was taken" decides the
 * history. */
static bool find_pending_removals(struct lp_pairs *s, const struct lp_problem *p,
			const struct bottoms *found, enum lp_finding *finding,
			struct lp_witness *w)
{
	bool in_time;
	uint32_t *deadline = deadlines(s, p, found, &in_time);

	*finding = LP_WRONG;
	in_time = in_time && lp_pending_removals_assign(s, p, deadline);
	if (in_time) /* if the matching meets all deadlines but the history is wrong with it, there is no
		      * answer */
		*finding = is_right(s, p, w, NULL) ? LP_CORRECT : LP_UNDECIDED;
	w->count = 0;
	w->why = "a value is popped from below others, and too few pending pops could have "
		 "taken them";
	lp_free(deadline);
	return *finding != LP_UNDECIDED;
}

bool lp_fast_stack(const struct lp_problem *p, enum lp_finding *finding, struct lp_witness *w)
{
	struct lp_pairs s;
	const enum lp_pairing pairing = lp_pairs_open(&s, p, w);
	bool applies = pairing != LP_UNPAIRABLE;
	struct bottoms found = { 0 };

	*finding = LP_WRONG;
	if (pairing == LP_PAIRED && is_right(&s, p, w, NULL)) {
		*finding = LP_CORRECT;
	} else if (pairing == LP_PAIRED && s.pending_removal_count && s.staying) {
		w->count = 0;
		if (is_right_if_taken(&s, p, w, &found))
			applies = find_pending_removals(&s, p, &found, finding, w);
	}
	lp_free(found.at);
	lp_pairs_close(&s);
	/* "Wrong" may also mean that the check was interrupted. */
	return applies && (*finding == LP_CORRECT || lp_problem_is_wanted(p, 0));
}
