/* weak_calls.c -- converts operations to updates and items. */
#include "check/weak/weak_calls.h"

#include <stdlib.h>
#include <string.h>

#include "check/sort.h"
#include "spec/traits.h"

const char *lp_weak_calls_refuse(const struct lp_problem *p, char *name)
{
	const struct lp_kind *kind = p->spec.kind;

	for (uint32_t m = 0; m < kind->method_count; m++)
		if ((p->methods >> m & 1) && lp_kind_traits(kind)->methods[m].look == LP_SAYS_UNKNOWN)
			return lp_method_name(&kind->methods[m], name);
	return NULL;
}

struct builder {
	struct lp_weak_calls *w;
	const struct lp_problem *p;
	const struct lp_method_traits *meaning; /* by method */
	bool is_map;
	int64_t initial;            /* what a key holds that is not there */
	uint32_t *order;            /* operations by session, then by start */
	struct {
		LP_VEC(int64_t);
	} key_values;               /* the key of each call that has one, call by call */
	uint32_t *key_number;
	uint32_t next_key;
	bool *is_there;             /* by key: what is said of it counts, see lp_problem.unnamed_keys */
	uint32_t *first_value;      /* by key, in by_value: those that set, then those that erase; one more
	                             * entry at the end */
};

static int64_t key_of(const struct builder *b, const struct lp_spec_call *c)
{
	return b->p->spec.kind->by_key ? c->arg[0] : 0;
}

static bool has_one_key(const struct lp_method_traits *m)
{
	return m->effect == LP_EFFECT_SETS || m->effect == LP_EFFECT_ERASES || m->look == LP_SAYS_VALUE || m->look == LP_SAYS_HELD;
}

/* A map that is read has keys and values in turns. */
static uint32_t stride(const struct builder *b)
{
	return b->is_map ? 2 : 1;
}

static void sort_by_session(struct builder *b)
{
	const struct lp_problem *p = b->p;
	struct lp_weak_calls *w = b->w;
	int64_t *threads = lp_alloc(sizeof *threads * p->count);
	uint32_t *number = lp_alloc(sizeof *number * p->count);

	for (uint32_t i = 0; i < p->count; i++)
		threads[i] = p->history->at[p->ops[i].call].thread;
	w->sessions = lp_sort_number_values(threads, p->count, number);
	w->first_call = lp_alloc_zero((size_t)w->sessions + 2, sizeof *w->first_call);
	for (uint32_t i = 0; i < p->count; i++)
		w->first_call[number[i] + 2]++;
	for (uint32_t s = 2; s <= w->sessions; s++)
		w->first_call[s] += w->first_call[s - 1];
	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const uint32_t op = p->events[rank] / 2;
		if (p->events[rank] & 1)
			continue;
		const uint32_t call = w->first_call[number[op] + 1]++;
		b->order[call] = op;
		w->calls[call] = (struct lp_weak_call){ .op = op, .session = number[op], .update = LP_NO_UPDATE };
	}
	lp_free(threads);
	lp_free(number);
}

static void number_keys(struct builder *b)
{
	for (uint32_t i = 0; i < b->w->count; i++) {
		const struct lp_spec_call c = lp_problem_call(b->p, b->order[i]);
		const struct lp_method_traits *m = &b->meaning[b->p->ops[b->order[i]].method];
		if (has_one_key(m))
			LP_PUSH(&b->key_values, key_of(b, &c));
		for (uint32_t j = 0; m->look == LP_SAYS_ALL && c.result && j < c.results; j += stride(b))
			LP_PUSH(&b->key_values, c.result[j]);
	}
	b->key_number = lp_alloc(sizeof *b->key_number * (b->key_values.count + 1));
	b->w->keys = lp_sort_number_values(b->key_values.at, b->key_values.count, b->key_number);
}

static void add_update(struct builder *b, uint32_t call, uint32_t key, const struct lp_method_traits *m,
		       const struct lp_spec_call *c)
{
	struct lp_weak_calls *w = b->w;
	const struct lp_history_op *op = &b->p->ops[w->calls[call].op];
	struct lp_weak_update u = { .call = call, .key = key, .session = w->calls[call].session,
				    .erases = m->effect == LP_EFFECT_ERASES, .is_pending = lp_op_is_pending(op), .value = 1 };

	if (m->effect == LP_EFFECT_ADDS)
		u.value = m->amount ? m->amount : c->arg[0];
	else if (m->effect == LP_EFFECT_SETS && (b->is_map || !b->p->spec.kind->by_key))
		u.value = c->arg[b->is_map ? 1 : 0];
	if (b->is_map && u.value == LP_NIL && b->initial == LP_NIL)
		u.erases = true; /* the specification defines it so */
	if (u.erases)
		u.value = 0;
	LP_PUSH(&w->updates, u);
}

/* Updates in the order of calls; then by key, which keeps that order. */
static void collect_updates(struct builder *b)
{
	struct lp_weak_calls *w = b->w;
	uint32_t next = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		const struct lp_spec_call c = lp_problem_call(b->p, b->order[i]);
		const struct lp_method_traits *m = &b->meaning[b->p->ops[b->order[i]].method];
		const uint32_t key = has_one_key(m) ? b->key_number[next] : 0;
		if (m->effect != LP_EFFECT_NONE)
			add_update(b, i, key, m, &c);
		next += has_one_key(m);
		if (m->look == LP_SAYS_ALL && c.result)
			next += (c.results + stride(b) - 1) / stride(b);
	}
	if (!w->keys)
		w->keys = 1; /* the counter */
	struct lp_weak_update *sorted = lp_alloc(sizeof *sorted * (w->updates.count + 1));
	w->first_update = lp_alloc_zero((size_t)w->keys + 2, sizeof *w->first_update);
	for (uint32_t i = 0; i < w->updates.count; i++)
		w->first_update[w->updates.at[i].key + 2]++;
	for (uint32_t k = 2; k <= w->keys; k++)
		w->first_update[k] += w->first_update[k - 1];
	for (uint32_t i = 0; i < w->updates.count; i++)
		sorted[w->first_update[w->updates.at[i].key + 1]++] = w->updates.at[i];
	lp_free(w->updates.at);
	w->updates.at = sorted;
	w->updates.room = w->updates.count;
}

/* A key that is only there because it was read: its calls may have been left out. */
static void find_keys(struct builder *b)
{
	struct lp_weak_calls *w = b->w;
	const struct lp_problem *p = b->p;

	b->is_there = lp_alloc_zero((size_t)w->keys + 1, sizeof *b->is_there);
	for (uint32_t k = 0; k < w->keys; k++)
		b->is_there[k] = !p->is_part || w->first_update[k] < w->first_update[k + 1];
	for (uint32_t i = 0; i < b->key_values.count && p->unnamed_key_count; i++)
		if (bsearch(&b->key_values.at[i], p->unnamed_keys, p->unnamed_key_count, sizeof *p->unnamed_keys, lp_sort_compare_values))
			b->is_there[b->key_number[i]] = true;
}

/* The updates of each session, in order. */
static void list_sessions(struct lp_weak_calls *w)
{
	w->session_first = lp_alloc_zero((size_t)w->sessions + 2, sizeof *w->session_first);
	w->session_updates = lp_alloc(sizeof *w->session_updates * (w->updates.count + 1));
	for (uint32_t i = 0; i < w->updates.count; i++) {
		w->calls[w->updates.at[i].call].update = i;
		w->session_first[w->updates.at[i].session + 1]++;
	}
	for (uint32_t s = 1; s <= w->sessions; s++)
		w->session_first[s] += w->session_first[s - 1];
	for (uint32_t s = 0; s < w->sessions; s++) {
		uint32_t place = 0;
		for (uint32_t c = w->first_call[s]; c < w->first_call[s + 1]; c++) {
			const uint32_t u = w->calls[c].update;
			if (u == LP_NO_UPDATE)
				continue;
			w->updates.at[u].place = place;
			w->session_updates[w->session_first[s] + place++] = u;
		}
	}
}

/* Sorted by value, then (stably) by key and whether they erase. */
static void list_values(struct builder *b)
{
	struct lp_weak_calls *w = b->w;
	struct lp_keyed *at = lp_alloc(sizeof *at * (w->updates.count + 1));

	for (uint32_t i = 0; i < w->updates.count; i++)
		at[i] = (struct lp_keyed){ lp_sort_key(w->updates.at[i].value), i };
	lp_sort_keyed(at, w->updates.count);
	w->by_value = lp_alloc(sizeof *w->by_value * (w->updates.count + 1));
	b->first_value = lp_alloc_zero(2 * (size_t)w->keys + 2, sizeof *b->first_value);
	for (uint32_t i = 0; i < w->updates.count; i++)
		b->first_value[2 * w->updates.at[i].key + w->updates.at[i].erases + 1]++;
	for (uint32_t k = 1; k <= 2 * w->keys; k++)
		b->first_value[k] += b->first_value[k - 1];
	uint32_t *next = lp_alloc(sizeof *next * (2 * (size_t)w->keys + 1));
	memcpy(next, b->first_value, sizeof *next * 2 * w->keys);
	for (uint32_t i = 0; i < w->updates.count; i++) {
		const struct lp_weak_update *u = &w->updates.at[at[i].id];
		w->by_value[next[2 * u->key + u->erases]++] = at[i].id;
	}
	lp_free(next);
	lp_free(at);
}

/* The first of by_value[low] .. by_value[high - 1] whose value is not below. */
static uint32_t place_of(const struct lp_weak_calls *w, uint32_t low, uint32_t high, int64_t value)
{
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (w->updates.at[w->by_value[middle]].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_item(struct builder *b, uint32_t call, struct lp_weak_item item)
{
	const uint32_t sources = item.to[0] - item.from[0] + item.to[1] - item.from[1] + item.initially;

	b->w->is_ambiguous |= sources > 1;
	item.call = call;
	LP_PUSH(&b->w->items, item);
	b->w->calls[call].items++;
}

/* The key is there, or it is not. */
static void say_held(struct builder *b, uint32_t call, uint32_t key, bool held)
{
	const uint32_t *first = b->first_value + 2 * (size_t)key + !held;

	add_item(b, call, (struct lp_weak_item){ .key = key, .from = { first[0] }, .to = { first[1] },
						 .initially = !held });
}

/* The key is there (or, if `or_absent`, may also hold it because it is not), and holds the value. */
static void say_value(struct builder *b, uint32_t call, uint32_t key, int64_t value, bool or_absent)
{
	const uint32_t *first = b->first_value + 2 * (size_t)key;
	struct lp_weak_item item = { .key = key };

	item.from[0] = place_of(b->w, first[0], first[1], value);
	item.to[0] = place_of(b->w, item.from[0], first[1], value + 1);
	if (or_absent && value == b->initial) {
		item.from[1] = first[1];
		item.to[1] = first[2];
		item.initially = true;
	}
	add_item(b, call, item);
}

/* Of the keys from `next` on, those of the result; then all the others. */
static void say_all(struct builder *b, uint32_t call, const struct lp_spec_call *c, bool *listed)
{
	const uint32_t count = (c->results + stride(b) - 1) / stride(b);
	const uint32_t *keys = b->key_number + b->next_key;

	for (uint32_t i = 0; i < count; i++) {
		if (!b->is_there[keys[i]])
			continue;
		if (b->is_map)
			say_value(b, call, keys[i], c->result[2 * i + 1], false);
		else if (!listed[keys[i]])
			say_held(b, call, keys[i], true);
		listed[keys[i]] = true;
	}
	for (uint32_t k = 0; k < b->w->keys; k++)
		if (!listed[k])
			say_held(b, call, k, false);
	for (uint32_t i = 0; i < count; i++)
		listed[keys[i]] = false;
	b->next_key += count;
}

static void say_empty(struct builder *b, uint32_t call, bool empty)
{
	for (uint32_t k = 0; k < b->w->keys && empty; k++)
		say_held(b, call, k, false);
	if (empty)
		return;
	add_item(b, call, (struct lp_weak_item){ .key = LP_ANY_KEY });
	b->w->is_ambiguous = true;
}

static void say_sum(struct lp_weak_call *call, int64_t sum, const struct lp_method_traits *m)
{
	call->sums = true;
	call->sum = sum;
	call->own = m->look == LP_SAYS_SUM_AFTER ? m->amount : 0;
}

static void collect_items(struct builder *b, uint32_t only)
{
	struct lp_weak_calls *w = b->w;
	bool *listed = lp_alloc_zero((size_t)w->keys + 1, sizeof *listed);

	for (uint32_t i = 0; i < w->count; i++) {
		struct lp_spec_call c = lp_problem_call(b->p, b->order[i]);
		const struct lp_method_traits *m = &b->meaning[b->p->ops[b->order[i]].method];
		const uint32_t key = has_one_key(m) ? b->key_number[b->next_key++] : 0;
		const bool known = c.result != NULL;

		w->calls[i].first_item = w->items.count;
		if (only != LP_NO_OP && w->calls[i].session != only)
			c.result = NULL;
		if (!c.result || (!c.results && m->look != LP_SAYS_ALL)) {
			b->next_key += m->look == LP_SAYS_ALL && known ? (c.results + stride(b) - 1) / stride(b) : 0;
			continue;
		}
		switch (m->look) {
		case LP_SAYS_VALUE: say_value(b, i, key, c.result[0], true); break;
		case LP_SAYS_HELD: say_held(b, i, key, c.result[0]); break;
		case LP_SAYS_NOT_HELD: say_held(b, i, key, !c.result[0]); break;
		case LP_SAYS_SUM:
		case LP_SAYS_SUM_AFTER: say_sum(&w->calls[i], c.result[0], m); break;
		case LP_SAYS_ALL: say_all(b, i, &c, listed); break;
		case LP_SAYS_EMPTY: say_empty(b, i, c.result[0]); break;
		case LP_SAYS_SIZE: w->is_partial = true; break;
		case LP_SAYS_NOTHING:
		case LP_SAYS_UNKNOWN: break;
		}
	}
	lp_free(listed);
}

void lp_weak_calls_open(struct lp_weak_calls *w, const struct lp_problem *p, uint32_t only)
{
	const struct lp_traits *traits = lp_kind_traits(p->spec.kind);
	struct builder b = { .w = w, .p = p, .meaning = traits->methods, .is_map = traits->pairs };
	const int init = lp_spec_param(&p->spec, "init"), k = lp_spec_param(&p->spec, "k");

	*w = (struct lp_weak_calls){ .count = p->count };
	b.initial = w->initial = init >= 0 ? p->spec.param[init] : 0;
	w->modulus = k >= 0 ? p->spec.param[k] : 0; /* of a counter: lp_weak_fits() refuses others */
	b.order = lp_alloc(sizeof *b.order * (p->count + 1));
	w->calls = lp_alloc(sizeof *w->calls * (p->count + 1));
	sort_by_session(&b);
	number_keys(&b);
	collect_updates(&b);
	find_keys(&b);
	list_sessions(w);
	list_values(&b);
	collect_items(&b, only);
	lp_free(b.order);
	lp_free(b.key_values.at);
	lp_free(b.key_number);
	lp_free(b.first_value);
	lp_free(b.is_there);
}

void lp_weak_calls_close(struct lp_weak_calls *w)
{
	lp_free(w->calls);
	lp_free(w->first_call);
	lp_free(w->updates.at);
	lp_free(w->first_update);
	lp_free(w->session_first);
	lp_free(w->session_updates);
	lp_free(w->by_value);
	lp_free(w->items.at);
	*w = (struct lp_weak_calls){ 0 };
}

/* Is it later by more than `delay`, which is in the unit of the input? */
static bool is_later_by(const struct lp_history *h, int64_t later, int64_t earlier, int64_t delay)
{
	return later > earlier &&
	       ((uint64_t)later - (uint64_t)earlier - 1) / (uint64_t)lp_history_unit(h) >= (uint64_t)delay;
}

void lp_weak_calls_settle(struct lp_weak_calls *w, const struct lp_problem *p, int64_t delay)
{
	int64_t last = 0;
	bool is_any = false;

	for (uint32_t i = 0; i < w->updates.count; i++) {
		const struct lp_history_op *op = &p->ops[w->calls[w->updates.at[i].call].op];
		const int64_t end = p->history->at[op->call].end;
		if (w->updates.at[i].is_pending)
			continue;
		last = is_any && last > end ? last : end;
		is_any = true;
	}
	for (uint32_t i = 0; i < w->count; i++) {
		const int64_t start = p->history->at[p->ops[w->calls[i].op].call].start;
		w->calls[i].is_final = !lp_op_is_pending(&p->ops[w->calls[i].op]) &&
				       (!is_any || is_later_by(p->history, start, last, delay));
	}
}
