/* lazy_rules.c -- decides when a value can leave, and what this implies about the values that are still present.
 *
 * Let v leave at `now`, and let w be any other value that is still present.
 *
 * Queue.  v was inserted before w, so w's insertion must not have ended before v's began.  This condition is
 * sufficient: the values can have been inserted in the order in which they leave, followed by the others in the
 * order of the ends of their insertions.  If the queue was empty at some time, all values that are present were
 * inserted later.
 *
 * Stack.  w was not inserted between the insertion of v and `now`: these times are a hole for all values that
 * are present.  The later v was inserted, the smaller is the hole.  So v is assumed to be inserted as late as
 * possible, at x, which is the end of its insertion or the beginning of an earlier hole; and the hole is [x,
 * now].  Since every hole ends at the time when it is made, a new hole contains the earlier ones that begin
 * after x.  If some value has no time left outside the holes, it would be on top of v, so v cannot leave.
 *
 *     insert w       |-------------|
 *     insert v    |------|
 *     remove v                        |--|
 *     hole               [=============]       w must be inserted before v
 *
 * A call that sees v on top makes the same hole for all other values, and v was inserted where the hole begins.
 *
 * Priority queue.  If w is better than v, it is inserted after `now`, so its insertion must not have ended.
 *
 * Pool.  v can always leave, and this implies nothing.
 *
 * If a call finds the object empty, all values that are still to leave are inserted after `now`.
 */
#include "check/history/fast/lazy_parts.h"

#include <string.h>

/* Returns 1 + the index of the last range that begins at `item` or before; 0 if there is none. */
static uint32_t range_of(const struct lp_lazy_run *r, uint32_t item)
{
	uint32_t low = 0, high = r->gone.count;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (r->gone.at[middle].from <= item)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool lp_lazy_is_gone(const struct lp_lazy_run *r, uint32_t item)
{
	const uint32_t i = range_of(r, item);

	return i && item < r->gone.at[i - 1].to;
}

uint32_t lp_lazy_there(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item)
{
	const uint32_t i = range_of(r, item);

	if (i && item < r->gone.at[i - 1].to)
		item = r->gone.at[i - 1].to;
	return item < l->count ? item : l->count;
}

uint32_t lp_lazy_there_before(const struct lp_lazy_run *r, uint32_t item)
{
	if (!item--)
		return LP_LAZY_NONE;
	const uint32_t i = range_of(r, item);
	if (!i || item >= r->gone.at[i - 1].to)
		return item;
	return r->gone.at[i - 1].from ? r->gone.at[i - 1].from - 1 : LP_LAZY_NONE;
}

static uint64_t end_of(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item)
{
	for (uint32_t i = 0; i < r->early.count; i++)
		if (r->early.at[i].item == item && r->early.at[i].time < l->items[item].end)
			return r->early.at[i].time;
	return l->items[item].end;
}

static bool has_started(const struct lp_lazy *l, uint32_t item)
{
	return l->items[item].start < l->now;
}

/* Returns the earliest end of the items that are present, except `but`. */
static uint64_t first_end(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t but)
{
	uint32_t i = lp_lazy_there(l, r, 0);
	uint64_t first;

	if (i == but)
		i = lp_lazy_there(l, r, i + 1);
	first = i < l->count ? l->items[i].end : LP_LAZY_NEVER;
	for (uint32_t j = 0; j < r->early.count; j++)
		if (r->early.at[j].item != but && r->early.at[j].time < first)
			first = r->early.at[j].time;
	return first;
}

bool lp_lazy_has_some(const struct lp_lazy *l, const struct lp_lazy_run *r)
{
	return first_end(l, r, LP_LAZY_NONE) < l->now;
}

static void drop_mark(struct lp_lazy_mark *at, uint32_t *count, uint32_t item)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < *count; i++)
		if (at[i].item != item)
			at[kept++] = at[i];
	*count = kept;
}

static void remove_item(struct lp_lazy_run *r, uint32_t item)
{
	const uint32_t i = range_of(r, item); /* ranges before it */
	const bool left = i && r->gone.at[i - 1].to == item;
	const bool right = i < r->gone.count && r->gone.at[i].from == item + 1;

	if (left && right) {
		r->gone.at[i - 1].to = r->gone.at[i].to;
		memmove(r->gone.at + i, r->gone.at + i + 1, sizeof *r->gone.at * (r->gone.count - i - 1));
		r->gone.count--;
	} else if (left) {
		r->gone.at[i - 1].to++;
	} else if (right) {
		r->gone.at[i].from--;
	} else {
		LP_RESERVE(&r->gone, 1);
		memmove(r->gone.at + i + 1, r->gone.at + i, sizeof *r->gone.at * (r->gone.count - i));
		r->gone.at[i] = (struct lp_lazy_range){ item, item + 1 };
		r->gone.count++;
	}
	drop_mark(r->early.at, &r->early.count, item);
	drop_mark(r->pins.at, &r->pins.count, item);
}

/* Records that the item was inserted before now. */
static void came_early(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item)
{
	if (end_of(l, r, item) <= l->now)
		return;
	drop_mark(r->early.at, &r->early.count, item);
	LP_PUSH(&r->early, (struct lp_lazy_mark){ item, l->now });
	/* Sorted, so that equal runs look equal. */
	for (uint32_t i = r->early.count - 1; i && r->early.at[i - 1].item > item; i--) {
		const struct lp_lazy_mark swap = r->early.at[i];
		r->early.at[i] = r->early.at[i - 1];
		r->early.at[i - 1] = swap;
	}
}

/* ---- Queues ---- */

static bool is_next(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item)
{
	const uint64_t start = l->items[item].start;

	if (r->head != LP_LAZY_NONE)
		return r->head == item;
	return first_end(l, r, item) > (start > r->empty ? start : r->empty);
}

/* ---- Stacks ---- */

/* Returns the first hole that ends after `time`; holes.count if there is none. */
static uint32_t hole_at(const struct lp_lazy_run *r, uint64_t time)
{
	uint32_t i = r->holes.count;

	while (i && r->holes.at[i - 1].to > time)
		i--;
	return i;
}

/* Do the holes leave no time for the item's insertion? */
static bool is_covered(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item)
{
	const uint32_t i = hole_at(r, l->items[item].start);

	return i < r->holes.count && r->holes.at[i].from <= l->items[item].start &&
	       end_of(l, r, item) <= r->holes.at[i].to;
}

/* Returns the latest time before now at which the item can have been inserted, or 0. The `from` of a hole stands
 * for the time just before the hole. */
static uint64_t latest(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item)
{
	for (uint32_t i = 0; i < r->pins.count; i++)
		if (r->pins.at[i].item == item)
			return r->pins.at[i].time;
	const uint64_t end = end_of(l, r, item);
	uint64_t time = end < l->now ? end : l->now;
	for (uint32_t i = r->holes.count; i-- > 0;)
		if (r->holes.at[i].from < time && time <= r->holes.at[i].to)
			time = r->holes.at[i].from;
	return time > l->items[item].start ? time : 0;
}

static bool add_hole(const struct lp_lazy *l, struct lp_lazy_run *r, uint64_t from, uint32_t but)
{
	while (r->holes.count && LP_LAST(&r->holes).to >= from) {
		if (LP_LAST(&r->holes).from < from)
			from = LP_LAST(&r->holes).from; /* it cannot begin within one */
		r->holes.count--;
	}
	LP_PUSH(&r->holes, (struct lp_lazy_hole){ from, l->now });
	for (uint32_t i = 0; i < r->pins.count; i++)
		if (r->pins.at[i].item != but && r->pins.at[i].time >= from)
			return false;
	/* A value whose insertion ended before the hole begins is not in it. */
	for (uint32_t i = lp_lazy_there_before(r, l->ended); i != LP_LAZY_NONE && l->items[i].end > from;
	     i = lp_lazy_there_before(r, i))
		if (i != but && is_covered(l, r, i))
			return false;
	for (uint32_t i = 0; i < r->early.count; i++)
		if (r->early.at[i].item != but && is_covered(l, r, r->early.at[i].item))
			return false;
	return true;
}

static bool is_on_top(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item, bool leaves)
{
	const uint64_t time = latest(l, r, item);

	if (!time)
		return false;
	if (leaves) {
		remove_item(r, item);
		return time == l->now || add_hole(l, r, time, LP_LAZY_NONE);
	}
	drop_mark(r->pins.at, &r->pins.count, item);
	drop_mark(r->early.at, &r->early.count, item);
	LP_PUSH(&r->pins, (struct lp_lazy_mark){ item, time });
	for (uint32_t i = r->pins.count - 1; i && r->pins.at[i - 1].item > item; i--) {
		const struct lp_lazy_mark swap = r->pins.at[i];
		r->pins.at[i] = r->pins.at[i - 1];
		r->pins.at[i - 1] = swap;
	}
	return add_hole(l, r, time, item);
}

bool lp_lazy_leaves_no_hole(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item)
{
	return l->leaves != LP_LEAVES_LAST_IN || latest(l, r, item) == l->now;
}

/* ---- Priority queues ---- */

static bool is_better(const struct lp_lazy *l, uint32_t a, uint32_t b)
{
	return l->greatest ? l->items[a].value > l->items[b].value :
			     l->items[a].value < l->items[b].value;
}

static bool is_best(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item)
{
	for (uint32_t i = lp_lazy_there(l, r, 0); i < l->ended; i = lp_lazy_there(l, r, i + 1))
		if (is_better(l, i, item))
			return false;
	for (uint32_t i = 0; i < r->early.count; i++)
		if (r->early.at[i].time < l->now && is_better(l, r->early.at[i].item, item))
			return false;
	return true;
}

/* ---- All ---- */

bool lp_lazy_leaves(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item)
{
	if (!has_started(l, item))
		return false;
	if (l->leaves == LP_LEAVES_LAST_IN)
		return is_on_top(l, r, item, true);
	if ((l->leaves == LP_LEAVES_FIRST_IN && !is_next(l, r, item)) ||
	    (l->leaves == LP_LEAVES_BY_ORDER && !is_best(l, r, item)))
		return false;
	r->head = LP_LAZY_NONE;
	remove_item(r, item);
	return true;
}

bool lp_lazy_is_seen(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item)
{
	if (!has_started(l, item))
		return false;
	if (l->leaves == LP_LEAVES_LAST_IN)
		return is_on_top(l, r, item, false);
	if ((l->leaves == LP_LEAVES_FIRST_IN && !is_next(l, r, item)) ||
	    (l->leaves == LP_LEAVES_BY_ORDER && !is_best(l, r, item)))
		return false;
	if (l->leaves == LP_LEAVES_FIRST_IN)
		r->head = item;
	came_early(l, r, item);
	return true;
}

bool lp_lazy_is_empty(const struct lp_lazy *l, struct lp_lazy_run *r)
{
	if (lp_lazy_has_some(l, r) || r->pins.count)
		return false;
	r->empty = l->now;
	if (l->leaves != LP_LEAVES_LAST_IN)
		return true;
	r->holes.count = 0;
	LP_PUSH(&r->holes, (struct lp_lazy_hole){ 0, l->now });
	return true;
}

bool lp_lazy_is_there(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item)
{
	if (!has_started(l, item) || (l->leaves == LP_LEAVES_LAST_IN && !latest(l, r, item)))
		return false;
	came_early(l, r, item);
	return true;
}

uint32_t lp_lazy_best(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t number)
{
	uint32_t best = LP_LAZY_NONE;

	for (uint32_t i = l->first[number]; i != LP_LAZY_NONE; i = l->items[i].next) {
		if (lp_lazy_is_gone(r, i) || !has_started(l, i))
			continue;
		if (l->leaves == LP_LEAVES_FIRST_IN && !is_next(l, r, i))
			continue;
		if (best == LP_LAZY_NONE || end_of(l, r, i) < end_of(l, r, best))
			best = i;
	}
	return best;
}

/* ---- Equal runs look equal ---- */

/* Times in a run, to be renumbered. */
static uint32_t times_of(struct lp_lazy_run *r, uint64_t **at)
{
	uint32_t count = 0;

	at[count++] = &r->empty;
	for (uint32_t i = 0; i < r->holes.count && i < 64; i++)
		at[count++] = &r->holes.at[r->holes.count - 1 - i].to;
	for (uint32_t i = 0; i < r->holes.count && i < 64; i++)
		at[count++] = &r->holes.at[r->holes.count - 1 - i].from;
	for (uint32_t i = 0; i < r->early.count && i < 64; i++)
		at[count++] = &r->early.at[i].time;
	for (uint32_t i = 0; i < r->pins.count && i < 64; i++)
		at[count++] = &r->pins.at[i].time;
	return count;
}

/* Does the hole restrict a value that is present, or one that is inserted later? */
static bool hole_matters(const struct lp_lazy *l, const struct lp_lazy_run *r,
			 const struct lp_lazy_hole *h)
{
	uint32_t tries = 64;

	/* Insertions that go on come after those that have ended; they all end after the hole. */
	for (uint32_t i = lp_lazy_there(l, r, l->ended); i < l->count && tries; i = lp_lazy_there(l, r, i + 1)) {
		if (l->items[i].start < h->to)
			return true;
		tries--;
	}
	for (uint32_t i = lp_lazy_there_before(r, l->ended);
	     i != LP_LAZY_NONE && l->items[i].end > h->from && tries; i = lp_lazy_there_before(r, i)) {
		if (l->items[i].start < h->to)
			return true;
		tries--;
	}
	return !tries;
}

void lp_lazy_normalise(const struct lp_lazy *l, struct lp_lazy_run *r, uint64_t gap)
{
	uint64_t *times[1 + 4 * 64];
	uint32_t kept = r->holes.count > 8 ? r->holes.count - 8 : 0;

	for (uint32_t i = kept; i < r->holes.count; i++)
		if (hole_matters(l, r, &r->holes.at[i]))
			r->holes.at[kept++] = r->holes.at[i];
	r->holes.count = kept;
	const struct lp_lazy_hole before = { 0, r->empty };
	if (r->empty && (l->leaves != LP_LEAVES_FIRST_IN || !hole_matters(l, r, &before)))
		r->empty = 0;

	/* Of the times in this gap only the order counts. */
	if (r->early.count > 64 || r->pins.count > 64)
		return;
	const uint32_t count = times_of(r, times);
	uint64_t done = gap;
	for (uint64_t next = gap + 1;; next++) {
		uint64_t least = LP_LAZY_NEVER;
		for (uint32_t i = 0; i < count; i++)
			if (*times[i] > done && *times[i] < gap + LP_LAZY_TICKS && *times[i] < least)
				least = *times[i];
		if (least == LP_LAZY_NEVER)
			return;
		for (uint32_t i = 0; i < count; i++)
			if (*times[i] == least)
				*times[i] = next;
		done = next;
	}
}
