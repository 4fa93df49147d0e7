/* settled.c -- judges calls at the moments when no call is open (settled.h).
 *
 * A set is a row of words.  The first word is the number of the list of states (spec_lists.h).  Then each thread has a word
 * with its open call (1 + the number of the call, in the upper 16 bits) and with the number of its stored calls, followed by
 * a word for each stored call: call << 16 | result.
 */
#include "check/product/settled.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/product/spec_lists.h"

struct lp_settled {
	struct lp_spec_lists lists;
	const struct lp_product_call *calls;
	uint32_t threads, most, words; /* words: of a row */
	bool quiescent;
	uint32_t before; /* the list of states that the calls before may have led to */
	struct { LP_VEC(uint32_t); } rows;
	struct { LP_VEC(uint32_t); } answers; /* by set without open calls: 1 + the list of states after them; 0: not known */
	struct { LP_VEC(int64_t); } results;
	struct lp_hash_index by_row;
};

enum { ROW = 1 + LP_PRODUCT_THREADS * (1 + LP_SETTLED_CALLS) };

static uint32_t *thread_of(const struct lp_settled *j, uint32_t *row, uint32_t thread)
{
	return row + 1 + (size_t)thread * (1 + j->most);
}

static uint32_t made(const uint32_t *thread) { return thread[0] & 0xffff; }
static uint32_t open_call(const uint32_t *thread) { return thread[0] >> 16; }

static void load(const struct lp_settled *j, uint32_t set, uint32_t *row)
{
	memcpy(row, j->rows.at + (size_t)set * j->words, sizeof *row * j->words);
}

static uint32_t intern_row(struct lp_settled *j, const uint32_t *row)
{
	const size_t size = sizeof *row * j->words;
	const uint64_t hash = lp_lists_hash(row, size);
	struct lp_hash_probe probe = lp_hash_probe(&j->by_row, hash);
	uint32_t id;

	while ((id = lp_hash_next(&j->by_row, &probe)) != LP_HASH_NONE)
		if (!memcmp(j->rows.at + (size_t)id * j->words, row, size))
			return id;
	id = j->answers.count;
	lp_hash_add(&j->by_row, hash, id);
	for (uint32_t i = 0; i < j->words; i++)
		LP_PUSH(&j->rows, row[i]);
	LP_PUSH(&j->answers, 0);
	return id;
}

static uint32_t result_number(struct lp_settled *j, int64_t value)
{
	uint32_t i = 0;

	while (i < j->results.count && j->results.at[i] != value)
		i++;
	if (i == j->results.count)
		LP_PUSH(&j->results, value);
	if (i > 0xffff)
		LP_BUG("more than %d results of calls", 0xffff);
	return i;
}

/* ---- the judgement ---- */

/* The calls of a row, thread by thread. */
struct made_calls {
	uint32_t call[LP_SETTLED_CALLS], thread[LP_SETTLED_CALLS], count;
};

static struct made_calls gather(const struct lp_settled *j, uint32_t *row)
{
	struct made_calls all = { .count = 0 };

	for (uint32_t t = 0; t < j->threads; t++)
		for (uint32_t i = 0; i < made(thread_of(j, row, t)); i++) {
			all.call[all.count] = thread_of(j, row, t)[1 + i];
			all.thread[all.count++] = t;
		}
	return all;
}

/* Can call `i` be the last of those in the mask? */
static bool may_be_last(const struct lp_settled *j, const struct made_calls *all, uint32_t mask, uint32_t i)
{
	for (uint32_t k = i + 1; k < all->count && all->thread[k] == all->thread[i]; k++)
		if (!j->quiescent && mask >> k & 1)
			return false;
	return true;
}

/* Returns the states after all calls of the row, in any order that the property allows. */
static uint32_t after_all(struct lp_settled *j, uint32_t *row)
{
	const struct made_calls all = gather(j, row);
	const uint32_t end = UINT32_C(1) << all.count;
	uint32_t *after = lp_alloc(sizeof *after * end);

	after[0] = row[0];
	for (uint32_t mask = 1; mask < end; mask++) {
		for (uint32_t i = 0; i < all.count; i++)
			if (mask >> i & 1 && may_be_last(j, &all, mask, i))
				lp_lists_add_after(&j->lists, after[mask ^ UINT32_C(1) << i], &j->calls[all.call[i] >> 16],
						   j->results.at[all.call[i] & 0xffff]);
		after[mask] = lp_lists_take(&j->lists);
	}
	const uint32_t last = after[end - 1];
	lp_free(after);
	return last;
}

/* Judges a row in which no call is open. */
static uint32_t judge(struct lp_settled *j, uint32_t *row)
{
	const uint32_t set = intern_row(j, row);

	if (!j->answers.at[set])
		j->answers.at[set] = 1 + after_all(j, row);
	const uint32_t states = j->answers.at[set] - 1;
	if (!lp_list_count(&j->lists, states))
		return LP_SETTLED_WRONG;
	if (!j->quiescent)
		return set;
	memset(row, 0, sizeof *row * j->words);
	row[0] = states;
	return intern_row(j, row);
}

/* ---- calls and returns ---- */

uint32_t lp_settled_begin(struct lp_settled *j)
{
	uint32_t row[ROW] = { j->before };

	return intern_row(j, row);
}

uint32_t lp_settled_calls(struct lp_settled *j, uint32_t set, uint32_t thread, uint32_t call)
{
	uint32_t row[ROW];

	load(j, set, row);
	uint32_t *own = thread_of(j, row, thread);
	if (made(own) == j->most)
		return LP_SETTLED_BARRED;
	own[0] |= (1 + call) << 16;
	return intern_row(j, row);
}

/* For sequential consistency the calls of a thread keep their order; for quiescent consistency any order is allowed. */
static void add_call(const struct lp_settled *j, uint32_t *own, uint32_t call)
{
	const uint32_t count = made(own);
	uint32_t i = count;

	for (; j->quiescent && i && own[i] > call; i--)
		own[1 + i] = own[i];
	own[1 + i] = call;
	own[0] = count + 1;
}

uint32_t lp_settled_returns(struct lp_settled *j, uint32_t set, uint32_t thread, int64_t result)
{
	uint32_t row[ROW];
	bool idle = true;

	load(j, set, row);
	uint32_t *own = thread_of(j, row, thread);
	add_call(j, own, (open_call(own) - 1) << 16 | result_number(j, result));
	for (uint32_t t = 0; t < j->threads; t++)
		idle &= !open_call(thread_of(j, row, t));
	return idle ? judge(j, row) : intern_row(j, row);
}

/* ---- comparing ---- */

uint32_t lp_settled_rename(struct lp_settled *j, uint32_t set, const uint8_t *to)
{
	uint32_t from[ROW], row[ROW];

	load(j, set, from);
	row[0] = from[0];
	for (uint32_t t = 0; t < j->threads; t++)
		memcpy(thread_of(j, row, to[t]), thread_of(j, from, t), sizeof *row * (1 + j->most));
	return intern_row(j, row);
}

uint64_t lp_settled_look(struct lp_settled *j, uint32_t set, uint32_t thread)
{
	uint32_t row[ROW];

	load(j, set, row);
	return lp_lists_hash(thread_of(j, row, thread), sizeof *row * (1 + j->most));
}

bool lp_settled_may_wait(struct lp_settled *j, uint32_t set, uint32_t thread)
{
	uint32_t row[ROW];

	load(j, set, row);
	for (uint32_t t = 0; t < j->threads; t++)
		if (t != thread && made(thread_of(j, row, t)) == j->most)
			return true;
	const uint32_t open = open_call(thread_of(j, row, thread));
	for (uint32_t at = 0; open && at < j->lists.lists.count; at += 1 + lp_list_count(&j->lists, at))
		if (lp_lists_block(&j->lists, at, &j->calls[open - 1]))
			return true;
	return false;
}

/* ---- the whole ---- */

struct lp_settled *lp_settled_open(const struct lp_spec *spec, uint32_t threads, const struct lp_product_call *calls, uint32_t most,
				 bool quiescent)
{
	struct lp_settled *j = lp_alloc_zero(1, sizeof *j);

	LP_HOLDS(threads * most <= LP_SETTLED_CALLS);
	j->threads = threads;
	j->calls = calls;
	j->most = most;
	j->words = 1 + threads * (1 + most);
	j->quiescent = quiescent;
	j->before = lp_lists_open(&j->lists, spec);
	return j;
}

bool lp_settled_before(struct lp_settled *j, const struct lp_product_call *call, int64_t result)
{
	j->before = lp_lists_after(&j->lists, j->before, call, result);
	return lp_list_count(&j->lists, j->before) > 0;
}

void lp_settled_close(struct lp_settled *j)
{
	if (!j)
		return;
	lp_lists_close(&j->lists);
	lp_free(j->rows.at);
	lp_free(j->answers.at);
	lp_free(j->results.at);
	lp_hash_close(&j->by_row);
	lp_free(j);
}

struct lp_product_counts lp_settled_counts(const struct lp_settled *j)
{
	return (struct lp_product_counts){ j->answers.count, j->answers.count, j->lists.states.count };
}
