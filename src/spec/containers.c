/* containers.c -- stacks, queues, deques, priority queues, sets, multisets, maps.
 *
 * Sequences keep their values front to back, the others sorted; a map is sorted
 * pairs of key and value.
 */
#include "spec/steps.h"

#include "base/alloc.h"

/* Sequences.  param: bounded, blocking */
static bool is_full(const struct lp_state *s, const struct lp_spec_call *c)
{
	return c->param[0] && s->count >= c->param[0];
}

static enum lp_answer push(struct lp_state *s, const struct lp_spec_call *c, uint32_t at)
{
	if (is_full(s, c))
		return c->param[1] ? LP_BLOCKS : lp_answers(c, 0);
	lp_state_insert(s, at, c->arg[0]);
	return lp_answers(c, 1);
}

static enum lp_answer pop(struct lp_state *s, const struct lp_spec_call *c, uint32_t at)
{
	if (!s->count)
		return c->param[1] ? LP_BLOCKS : lp_answers(c, LP_EMPTY);
	const int64_t value = s->at[at];
	lp_state_remove(s, at);
	return lp_answers(c, value);
}

static enum lp_answer peek(const struct lp_state *s, const struct lp_spec_call *c, uint32_t at)
{
	return lp_answers(c, s->count ? s->at[at] : LP_EMPTY);
}

enum lp_answer lp_list_push_front(struct lp_state *s, const struct lp_spec_call *c)
{
	return push(s, c, 0);
}

enum lp_answer lp_list_push_back(struct lp_state *s, const struct lp_spec_call *c)
{
	return push(s, c, s->count);
}

enum lp_answer lp_list_pop_front(struct lp_state *s, const struct lp_spec_call *c)
{
	return pop(s, c, 0);
}

/* Queues have one more parameter: synchronous.  Then the state is what is offered: an
 * insertion offers its value, and the removal that it meets comes next.  Nobody ever
 * sees it there, so that others find an empty queue. */
static bool is_synchronous(const struct lp_spec_call *c)
{
	return c->param[2];
}

bool lp_queue_settled(const struct lp_state *s, const int64_t *param)
{
	return !param[2] || !s->count;
}

enum lp_answer lp_queue_enqueue(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_synchronous(c) && s->count)
		return LP_BLOCKS;
	return push(s, c, s->count);
}

enum lp_answer lp_queue_dequeue(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_synchronous(c) && !s->count)
		return LP_BLOCKS;
	return pop(s, c, 0);
}

enum lp_answer lp_queue_front(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_synchronous(c) && s->count)
		return LP_REJECTS;
	return peek(s, c, 0);
}

enum lp_answer lp_queue_is_empty(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_synchronous(c) && s->count)
		return LP_REJECTS;
	return lp_answers(c, !s->count);
}

enum lp_answer lp_list_pop_back(struct lp_state *s, const struct lp_spec_call *c)
{
	return pop(s, c, s->count - 1);
}

enum lp_answer lp_list_back(struct lp_state *s, const struct lp_spec_call *c)
{
	return peek(s, c, s->count - 1);
}

enum lp_answer lp_list_is_empty(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, !s->count);
}

enum lp_answer lp_list_size(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->count);
}

/* Sorted: sets, multisets, priority queues. */
enum lp_answer lp_sorted_insert(struct lp_state *s, const struct lp_spec_call *c)
{
	lp_state_insert(s, lp_state_place(s, c->arg[0]), c->arg[0]);
	return LP_ACCEPTS;
}

/* param: max, ... */
static uint32_t foremost(const struct lp_state *s, const struct lp_spec_call *c)
{
	return c->param[0] ? s->count - 1 : 0;
}

/* param: max, bounded, blocking */
enum lp_answer lp_priority_insert(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->param[1] && s->count >= c->param[1])
		return c->param[2] ? LP_BLOCKS : lp_answers(c, 0);
	lp_state_insert(s, lp_state_place(s, c->arg[0]), c->arg[0]);
	return lp_answers(c, 1);
}

enum lp_answer lp_priority_remove(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count)
		return c->param[2] ? LP_BLOCKS : lp_answers(c, LP_EMPTY);
	const int64_t value = s->at[foremost(s, c)];
	lp_state_remove(s, foremost(s, c));
	return lp_answers(c, value);
}

enum lp_answer lp_priority_peek(struct lp_state *s, const struct lp_spec_call *c)
{
	return peek(s, c, foremost(s, c));
}

enum lp_answer lp_set_spec_insert(struct lp_state *s, const struct lp_spec_call *c)
{
	if (lp_state_has(s, c->arg[0]))
		return lp_answers(c, 0);
	lp_state_insert(s, lp_state_place(s, c->arg[0]), c->arg[0]);
	return lp_answers(c, 1);
}

enum lp_answer lp_set_spec_remove(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!lp_state_has(s, c->arg[0]))
		return lp_answers(c, 0);
	lp_state_remove(s, lp_state_place(s, c->arg[0]));
	return lp_answers(c, 1);
}

enum lp_answer lp_set_spec_contains(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, lp_state_has(s, c->arg[0]));
}

/* The results, `width` words each, are the entries of the state in any order; one may be there several times. */
static enum lp_answer answers_all(const struct lp_state *s, const struct lp_spec_call *c, uint32_t width)
{
	enum { FEW = 512 };
	bool few[FEW] = { 0 };
	const uint32_t entries = s->count / width;
	bool *seen = entries <= FEW ? few : lp_alloc_zero(entries, sizeof *seen);
	uint32_t found = 0;
	bool good = c->results >= s->count && c->results % width == 0;

	for (uint32_t i = 0; good && i < c->results; i += width) {
		uint32_t low = 0, high = entries;
		while (low < high) {
			const uint32_t middle = (low + high) / 2;
			if (s->at[middle * width] < c->result[i])
				low = middle + 1;
			else
				high = middle;
		}
		good = low < entries && !memcmp(s->at + low * width, c->result + i, sizeof *s->at * width);
		if (good && !seen[low])
			found += seen[low] = true;
	}
	if (seen != few)
		lp_free(seen);
	return good && found == entries ? LP_ACCEPTS : LP_REJECTS;
}

enum lp_answer lp_set_spec_read(struct lp_state *s, const struct lp_spec_call *c)
{
	return c->result ? answers_all(s, c, 1) : LP_ACCEPTS;
}

enum lp_answer lp_map_entries(struct lp_state *s, const struct lp_spec_call *c)
{
	return c->result ? answers_all(s, c, 2) : LP_ACCEPTS;
}

enum lp_answer lp_multiset_count(struct lp_state *s, const struct lp_spec_call *c)
{
	uint32_t at = lp_state_place(s, c->arg[0]), count = 0;

	while (at < s->count && s->at[at++] == c->arg[0])
		count++;
	return lp_answers(c, count);
}

/* Takes any value; when the result is unknown, each value is a choice.
 * param: blocking */
enum lp_answer lp_multiset_take(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count && c->param[0])
		return LP_BLOCKS;
	if (!s->count)
		return c->choice ? LP_REJECTS : lp_answers(c, LP_EMPTY);
	if (!c->result) {
		if (c->choice >= s->count)
			return LP_REJECTS;
		lp_state_remove(s, c->choice);
		return LP_ACCEPTS;
	}
	if (c->choice || c->results != 1 || !lp_state_has(s, c->result[0]))
		return LP_REJECTS;
	lp_state_remove(s, lp_state_place(s, c->result[0]));
	return LP_ACCEPTS;
}

/* Maps.  param: init, the value of a key that is not there.  Nil is no value: where it is also
 * init, whoever puts nil removes the key. */
static uint32_t key_place(const struct lp_state *s, int64_t key)
{
	uint32_t at = 0;

	/* Histories are split by key: there is hardly ever more than one. */
	while (at < s->count && s->at[at] < key)
		at += 2;
	return at;
}

static bool has_key(const struct lp_state *s, uint32_t at, int64_t key)
{
	return at < s->count && s->at[at] == key;
}

static int64_t map_value(const struct lp_state *s, const struct lp_spec_call *c)
{
	const uint32_t at = key_place(s, c->arg[0]);
	return has_key(s, at, c->arg[0]) ? s->at[at + 1] : c->param[0];
}

static bool map_has(const struct lp_state *s, const struct lp_spec_call *c)
{
	return has_key(s, key_place(s, c->arg[0]), c->arg[0]);
}

static void map_unset(struct lp_state *s, const struct lp_spec_call *c)
{
	const uint32_t at = key_place(s, c->arg[0]);

	if (has_key(s, at, c->arg[0])) {
		lp_state_remove(s, at);
		lp_state_remove(s, at);
	}
}

static void map_set(struct lp_state *s, const struct lp_spec_call *c, int64_t value)
{
	const uint32_t at = key_place(s, c->arg[0]);

	map_unset(s, c);
	if (value != LP_NIL || c->param[0] != LP_NIL) {
		lp_state_insert(s, at, value);
		lp_state_insert(s, at, c->arg[0]);
	}
}

enum lp_answer lp_map_get(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, map_value(s, c));
}

enum lp_answer lp_map_put(struct lp_state *s, const struct lp_spec_call *c)
{
	map_set(s, c, c->arg[1]);
	return LP_ACCEPTS;
}

enum lp_answer lp_map_put_if_absent(struct lp_state *s, const struct lp_spec_call *c)
{
	if (map_has(s, c))
		return lp_answers(c, 0);
	map_set(s, c, c->arg[1]);
	return lp_answers(c, 1);
}

enum lp_answer lp_map_append(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t old = map_value(s, c);

	if (!c->join && old != LP_NIL)
		return LP_REJECTS; /* numbers cannot be appended to each other */
	map_set(s, c, old == LP_NIL ? c->arg[1] : c->join(c->texts, old, c->arg[1]));
	return LP_ACCEPTS;
}

enum lp_answer lp_map_cas(struct lp_state *s, const struct lp_spec_call *c)
{
	if (map_value(s, c) != c->arg[1])
		return lp_answers(c, 0);
	map_set(s, c, c->arg[2]);
	return lp_answers(c, 1);
}

enum lp_answer lp_map_remove(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!map_has(s, c))
		return lp_answers(c, 0);
	map_unset(s, c);
	return lp_answers(c, 1);
}

enum lp_answer lp_map_contains(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, map_has(s, c));
}
