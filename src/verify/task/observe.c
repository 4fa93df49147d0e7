/* observe.c -- collects everything that clients can observe of an object. */
#include "verify/task/observe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "explore/reduce/reductions.h"

/* ---- orders ---- */

/* Enumerates all strict orders, always in the same sequence.  Each call in turn is inserted between a set of
 * predecessors and a set of successors. */
static void add_orders(struct lp_sightings *o, const struct lp_observed_order *smaller, uint32_t size)
{
	if (size == o->calls) {
		LP_PUSH(&o->orders, *smaller);
		return;
	}
	for (uint32_t down = 0; down < UINT32_C(1) << size; down++) {
		for (uint32_t up = 0; up < UINT32_C(1) << size; up++) {
			bool closed = !(down & up);
			for (uint32_t a = 0; a < size && closed; a++) {
				const uint32_t before = smaller->before[a];
				if (down >> a & 1)
					closed &= !(before & ~down);
				/* A call that follows a successor of the new call follows the new call, too.  All that are
				 * before the new one are before those. */
				if (up >> a & 1)
					closed &= !(down & ~before);
				else
					closed &= !(before & up);
			}
			if (!closed)
				continue;
			struct lp_observed_order larger = *smaller;
			larger.before[size] = down;
			for (uint32_t a = 0; a < size; a++)
				if (up >> a & 1)
					larger.before[a] |= UINT32_C(1) << size;
			add_orders(o, &larger, size + 1);
		}
	}
}

/* reached[b]: all that h ; (influence ; h)* leads to from b. */
static void compose(const struct lp_observed_order *h, const uint32_t *influence, uint32_t n, uint32_t *reached)
{
	bool more = true;

	memset(reached, 0, n * sizeof *reached);
	for (uint32_t b = 0; b < n; b++)
		for (uint32_t a = 0; a < n; a++)
			reached[b] |= (h->before[a] >> b & 1) << a;
	while (more) {
		more = false;
		for (uint32_t b = 0; b < n; b++) {
			uint32_t next = reached[b], touched = 0;
			for (uint32_t a = 0; a < n; a++)
				if (reached[b] >> a & 1)
					touched |= influence[a];
			for (uint32_t a = 0; a < n; a++)
				if (h->before[a] & touched)
					next |= UINT32_C(1) << a;
			more |= next != reached[b];
			reached[b] = next;
		}
	}
}

/* As src/model/calls.h has it: no more is needed where the relations are exact. */
static bool relations_allow(const struct lp_calls *calls, const struct lp_observed_order *h)
{
	uint32_t reached[LP_OBSERVED_ORDERS_ON];

	compose(h, calls->happens, calls->count, reached);
	for (uint32_t b = 0; b < calls->count; b++)
		if (reached[b] & calls->clashes[b])
			return false;
	compose(h, calls->reaches, calls->count, reached);
	for (uint32_t b = 0; b < calls->count; b++)
		for (uint32_t a = 0; a < calls->count; a++)
			if (reached[b] >> a & 1 && calls->reaches[a] >> b & 1)
				return false;
	return true;
}

static bool keeps_clients_order(const struct lp_judge *j, const struct lp_observed_order *h)
{
	const uint32_t pre = j->observation.count - j->calls.count;

	for (uint32_t a = 0; a < j->calls.count; a++)
		if ((j->observation.before[a + pre] >> pre) & ~h->before[a])
			return false;
	return true;
}

/* Does a call come after one that is stuck?  No client makes it then. */
static bool follows_stuck(const struct lp_judge *j, const struct lp_observed_order *h)
{
	const uint32_t pre = j->observation.count - j->calls.count;
	uint32_t stuck = 0;

	for (uint32_t a = 0; a < j->calls.count; a++)
		stuck |= (uint32_t)j->observation.call[a + pre].stuck << a;
	for (uint32_t a = 0; a < j->calls.count; a++)
		if (h->before[a] & stuck)
			return true;
	return false;
}

/* Another execution with this ending that says the same? */
static bool was_seen(struct lp_sightings *o, const struct lp_ending *e)
{
	const struct lp_calls *calls = &o->check->judge.calls;
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, (uint64_t)(e - o->endings.at));
	for (uint32_t a = 0; a < calls->count; a++) {
		lp_fingerprint_word(&f, calls->reaches[a] | (uint64_t)calls->happens[a] << 32);
		lp_fingerprint_word(&f, calls->clashes[a]);
	}
	return calls->exact && !lp_fingerprints_add(&o->seen, f);
}

static void note_orders(struct lp_sightings *o, struct lp_ending *e)
{
	const struct lp_judge *j = &o->check->judge;
	const struct lp_calls *calls = &j->calls;

	if (was_seen(o, e))
		return;
	if (o->calls != calls->count) {
		o->calls = calls->count;
		o->orders.count = 0;
		add_orders(o, &(struct lp_observed_order){ .before = { 0 } }, 0);
	}
	for (uint32_t i = 0; i < o->orders.count; i++) {
		const struct lp_observed_order *h = &o->orders.at[i];
		uint32_t before[LP_CALLS] = { 0 };
		if (e->possible[i / 64] >> i % 64 & 1 || follows_stuck(j, h) || !keeps_clients_order(j, h) ||
		    !relations_allow(calls, h))
			continue;
		memcpy(before, h->before, sizeof h->before);
		if (calls->exact || lp_calls_possible(calls, j->graph, j->model, before))
			e->possible[i / 64] |= UINT64_C(1) << i % 64;
	}
}

/* ---- executions ---- */

static void say(struct lp_sightings *o, char *out, size_t size)
{
	const struct lp_judge *j = &o->check->judge;
	size_t used = 0;

	out[0] = '\0';
	for (uint32_t a = 0; a < j->observation.count && used < size; a++) {
		const struct lp_observed *call = &j->observation.call[a];
		const uint32_t m = o->check->client.method[j->call[a]];
		char made[128], result[128] = "stuck";
		if (!call->stuck)
			lp_harness_say_result(&o->check->harness, m, call->result, result, sizeof result);
		used += (size_t)snprintf(out + used, size - used, "%s%" PRIu32 ":%s=%s", a ? " " : "", call->thread,
					 lp_harness_say_call(&o->check->harness, m, call->arg, made, sizeof made), result);
	}
}

static uint64_t hash_of(const char *text)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_bytes(&f, text, strlen(text));
	return f.a;
}

/* Its index, or LP_HASH_NONE. */
static uint32_t find(const struct lp_sightings *o, const char *text, uint64_t hash)
{
	struct lp_hash_probe probe = lp_hash_probe(&o->by_text, hash);
	uint32_t id;

	while ((id = lp_hash_next(&o->by_text, &probe)) != LP_HASH_NONE && strcmp(o->endings.at[id].text, text))
		;
	return id;
}

static struct lp_ending *ending_of(struct lp_sightings *o)
{
	char text[2048];

	say(o, text, sizeof text);
	const uint64_t hash = hash_of(text);
	uint32_t id = find(o, text, hash);
	if (id == LP_HASH_NONE) {
		id = o->endings.count;
		lp_hash_add(&o->by_text, hash, id);
		LP_PUSH(&o->endings, (struct lp_ending){ .text = lp_strdup(text) });
	}
	return &o->endings.at[id];
}

static enum lp_judgement observe(void *closure, const struct lp_graph *g, bool stuck, struct lp_program_error *error)
{
	struct lp_sightings *o = closure;

	lp_judge_execution(&o->check->judge, g, stuck, error); /* the judge only records observations here; its verdict is not used */
	o->executions++;
	struct lp_ending *e = ending_of(o);
	if (o->check->judge.calls.count <= LP_OBSERVED_ORDERS_ON && !lp_task_given(&o->check->task, LP_OPT_CLIENT))
		note_orders(o, e);
	return LP_JUDGED_RIGHT;
}

/* ---- the whole ---- */

void lp_sightings_open(struct lp_sightings *o, struct lp_check *c)
{
	struct lp_explore_options *e = &c->task.explore;

	*o = (struct lp_sightings){ .check = c };
	lp_reductions_limit(&e->reduce, LP_OBSERVING);
	e->callbacks.judge = observe;
	e->callbacks.judge_closure = o;
}

void lp_sightings_clear(struct lp_sightings *o)
{
	for (uint32_t i = 0; i < o->endings.count; i++)
		lp_free(o->endings.at[i].text);
	o->endings.count = 0;
	lp_hash_clear(&o->by_text);
	lp_fingerprints_clear(&o->seen);
}

const struct lp_ending *lp_sightings_find(const struct lp_sightings *o, const char *text)
{
	const uint32_t id = find(o, text, hash_of(text));

	return id == LP_HASH_NONE ? NULL : &o->endings.at[id];
}

void lp_sightings_close(struct lp_sightings *o)
{
	lp_sightings_clear(o);
	lp_free(o->orders.at);
	lp_free(o->endings.at);
	lp_hash_close(&o->by_text);
	lp_fingerprints_close(&o->seen);
}
