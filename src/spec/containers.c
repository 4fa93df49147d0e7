/* containers.c -- stacks, queues, deques, priority queues, sets, multisets, maps.
 *
 * Sequences keep their values front to back, the others sorted.  A map is sorted pairs of key and
 * value; a multiset is sorted pairs of value and count, so that its state does not grow when a value
 * is inserted once more.
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
 * insertion offers its value, and the removal that it meets comes next.  No other call can
 * observe it there: other calls find an empty queue. */
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

/* Priority queues.  param: max, ... */
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

/* Sets. */
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

/* Where the entry that begins with `key` is, or belongs, in a state of entries of `width` words. */
static uint32_t entry_place(const struct lp_state *s, uint32_t width, int64_t key)
{
	uint32_t low = 0, high = s->count / width;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (s->at[middle * width] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low * width;
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
		const uint32_t at = entry_place(s, width, c->result[i]);
		good = at < s->count && !memcmp(s->at + at, c->result + i, sizeof *s->at * width);
		if (good && !seen[at / width])
			found += seen[at / width] = true;
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

/* Where the pair of a key is, or belongs: for maps and multisets. */
static uint32_t key_place(const struct lp_state *s, int64_t key)
{
	return entry_place(s, 2, key);
}

static bool has_key(const struct lp_state *s, uint32_t at, int64_t key)
{
	return at < s->count && s->at[at] == key;
}

static void add_pair(struct lp_state *s, uint32_t at, int64_t key, int64_t value)
{
	lp_state_insert(s, at, value);
	lp_state_insert(s, at, key);
}

static void remove_pair(struct lp_state *s, uint32_t at)
{
	lp_state_remove(s, at);
	lp_state_remove(s, at);
}

/* Multisets. */
static void remove_once(struct lp_state *s, uint32_t at)
{
	if (!--s->at[at + 1])
		remove_pair(s, at);
}

enum lp_answer lp_multiset_insert(struct lp_state *s, const struct lp_spec_call *c)
{
	const uint32_t at = key_place(s, c->arg[0]);

	if (has_key(s, at, c->arg[0]))
		s->at[at + 1]++;
	else
		add_pair(s, at, c->arg[0], 1);
	return LP_ACCEPTS;
}

enum lp_answer lp_multiset_remove(struct lp_state *s, const struct lp_spec_call *c)
{
	const uint32_t at = key_place(s, c->arg[0]);

	if (!has_key(s, at, c->arg[0]))
		return lp_answers(c, 0);
	remove_once(s, at);
	return lp_answers(c, 1);
}

enum lp_answer lp_multiset_count(struct lp_state *s, const struct lp_spec_call *c)
{
	const uint32_t at = key_place(s, c->arg[0]);

	return lp_answers(c, has_key(s, at, c->arg[0]) ? s->at[at + 1] : 0);
}

enum lp_answer lp_multiset_size(struct lp_state *s, const struct lp_spec_call *c)
{
	int64_t size = 0;

	for (uint32_t at = 0; at < s->count; at += 2)
		size += s->at[at + 1];
	return lp_answers(c, size);
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
		if (c->choice >= s->count / 2)
			return LP_REJECTS;
		remove_once(s, 2 * c->choice);
		return LP_ACCEPTS;
	}
	if (c->choice || c->results != 1)
		return LP_REJECTS;
	const uint32_t at = key_place(s, c->result[0]);
	if (!has_key(s, at, c->result[0]))
		return LP_REJECTS;
	remove_once(s, at);
	return LP_ACCEPTS;
}

/* Maps.  param: init, the value of a key that is not there.  Nil is no value: where it is also
 * init, putting nil removes the key. */
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

	if (has_key(s, at, c->arg[0]))
		remove_pair(s, at);
}

static void map_set(struct lp_state *s, const struct lp_spec_call *c, int64_t value)
{
	const uint32_t at = key_place(s, c->arg[0]);

	map_unset(s, c);
	if (value != LP_NIL || c->param[0] != LP_NIL)
		add_pair(s, at, c->arg[0], value);
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
