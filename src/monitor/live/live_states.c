/* live_states.c -- objects with small states: counters, locks, semaphores, snapshots, one key of a map.
 *
 * The checker keeps a set of pairs that are possible so far; a pair says which of the open calls have taken effect, and what the
 * state of the specification is.  When a call ends, only pairs are kept in which it has taken effect, perhaps after other open
 * calls (Lowe, "Testing for linearizability", CCPE 2017).  If no pair is left, the calls are wrong.  Calls of one thread follow
 * each other, also within a tick.
 *
 * A call that only reads takes effect as soon as it is accepted: it restricts no other call.
 *
 * After a gap the state is unknown, and any call is accepted.  Some calls determine the state after them (a read of a
 * counter, a put); from then on it is known.  A call that began before the gap ended may have taken effect
 * within it.  So such a call does not determine the state.  If the state is known, it is possible that the call takes effect, and
 * that it does not.
 *
 * Maps have one such set for each key, up to config.values of them.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/fingerprints.h"
#include "base/hash.h"
#include "base/vec.h"
#include "monitor/index.h"
#include "monitor/live/live_checker.h"
#include "spec/traits.h"

enum { SLOTS = 64, PAST = 64, MOST_CONFIGS = 4096 };

enum { FEW = 4 };

struct held {
	struct lp_live_call call;
	int64_t *words;  /* a copy of call.words */
	int64_t few[FEW]; /* where it is, if it fits */
	bool used, carried;
	uint64_t seq;    /* among those of its thread */
};

struct config {
	uint64_t done;
	bool unknown;
	struct lp_state state;
};

struct configs {
	LP_VEC(struct config);
};

struct part {
	int64_t key;     /* first: lp_table */
	struct configs configs;
	struct held *open; /* SLOTS of them, when needed */
	uint32_t open_count;
	struct held *past; /* PAST of them: what has ended since the state was known */
	uint32_t past_count;
	bool past_is_cut;
	bool has_base;   /* `base` is what was there then, else the first state */
	int64_t base;
};

struct states {
	struct lp_table parts;
	bool by_key, unknown;
	int init;        /* the parameter of the first state, or -1 */
	uint64_t seq;
	struct configs todo;
	struct lp_fingerprints seen;
	struct held *spare_open, *spare_past; /* of a part that needs none now */
};

/* ---- Pairs ---- */

static void config_push(struct configs *to, const struct config *c)
{
	struct config copy = { .done = c->done, .unknown = c->unknown };

	lp_state_open(&copy.state);
	lp_state_copy(&copy.state, &c->state);
	LP_PUSH(to, copy);
}

static void configs_clear(struct configs *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		lp_state_close(&s->at[i].state);
	s->count = 0;
}

static void add_new(struct states *s, uint64_t done, bool unknown, const struct lp_state *state)
{
	struct lp_fingerprint f = LP_FINGERPRINT;
	const struct config c = { done, unknown, *state };

	lp_fingerprint_word(&f, done);
	lp_fingerprint_word(&f, unknown);
	for (uint32_t i = 0; !unknown && i < state->count; i++)
		lp_fingerprint_word(&f, (uint64_t)state->at[i]);
	if (lp_fingerprints_add(&s->seen, f))
		config_push(&s->todo, &c);
}

/* ---- Calls ---- */

static struct lp_spec_call spec_call(const struct lp_live *live, const struct held *h)
{
	const struct lp_method *m = &live->spec->kind->methods[h->call.method];

	return (struct lp_spec_call){ .arg = h->words, .args = m->args, .result = h->words + m->args,
				      .results = h->call.word_count - m->args,
				      .thread = h->call.thread };
}

/* Does the call tell what the state is after it?  Then `to` is that. */
static bool tells(const struct lp_live *live, const struct held *h, struct lp_state *to)
{
	const struct lp_kind *kind = live->spec->kind;
	struct lp_spec_call call = spec_call(live, h);

	call.param = live->spec->param;
	to->count = 0;
	return !h->carried && lp_kind_traits(kind)->tells(to, &kind->methods[h->call.method], &call);
}

static bool is_ready(const struct part *p, uint64_t done, uint32_t slot)
{
	const struct held *h = &p->open[slot];

	if (!h->used || (done >> slot & 1))
		return false;
	for (uint32_t s = 0; s < SLOTS; s++)
		if (p->open[s].used && !(done >> s & 1) && p->open[s].call.thread == h->call.thread &&
		    p->open[s].seq < h->seq)
			return false;
	return true;
}

/* The call takes effect.  True if nothing else need be tried. */
static bool take_effect(struct lp_live *live, const struct part *p, const struct config *c, uint32_t slot,
			struct lp_state *trial)
{
	struct states *s = live->self;
	const struct held *h = &p->open[slot];
	const uint64_t done = c->done | UINT64_C(1) << slot;
	struct lp_spec_call call = spec_call(live, h);

	const unsigned roles = live->spec->kind->methods[h->call.method].roles;
	const bool looks = (roles & LP_OBSERVES) && !h->carried; /* with this result, if nothing changes here, nothing ever does */

	if (c->unknown) {
		const bool told = tells(live, h, trial);
		add_new(s, done, !told, trial);
		return !told && (roles & LP_READS) == LP_READS;
	}
	if (h->carried)
		add_new(s, done, false, &c->state);
	lp_state_copy(trial, &c->state);
	if (lp_spec_step(live->spec, h->call.method, trial, &call) != LP_ACCEPTS)
		return false;
	const bool same = lp_state_equal(trial, &c->state);
	add_new(s, done, false, trial);
	return same && looks;
}

/* Keeps the pairs in which the call of `slot` has taken effect. */
static void close_over(struct lp_live *live, struct part *p, uint32_t slot)
{
	struct states *s = live->self;
	struct lp_state trial;

	lp_state_open(&trial);
	lp_fingerprints_clear(&s->seen);
	for (uint32_t i = 0; i < p->configs.count; i++)
		add_new(s, p->configs.at[i].done, p->configs.at[i].unknown, &p->configs.at[i].state);
	configs_clear(&p->configs);
	while (s->todo.count && s->todo.count + p->configs.count <= MOST_CONFIGS) {
		const struct config c = s->todo.at[--s->todo.count];
		if (c.done >> slot & 1) {
			LP_PUSH(&p->configs, c);
			LP_LAST(&p->configs).done &= ~(UINT64_C(1) << slot);
			continue;
		}
		bool enough = false;
		for (uint32_t y = 0; y < SLOTS && !enough; y++)
			enough = is_ready(p, c.done, y) && take_effect(live, p, &c, y, &trial);
		struct config gone = c;
		lp_state_close(&gone.state);
	}
	if (s->todo.count)
		lp_live_stuck(live, "too many calls overlap: more orders than can be kept");
	configs_clear(&s->todo);
	lp_state_close(&trial);
}

/* ---- Parts ---- */

static void held_drop(struct held *h)
{
	if (h->call.word_count > FEW)
		lp_free(h->words);
	h->used = false;
	h->call.word_count = 0;
}

static void part_close(struct part *p)
{
	for (uint32_t i = 0; p->open && i < SLOTS; i++)
		held_drop(&p->open[i]);
	for (uint32_t i = 0; i < p->past_count; i++)
		held_drop(&p->past[i]);
	configs_clear(&p->configs);
	lp_free(p->configs.at);
	lp_free(p->open);
	lp_free(p->past);
	*p = (struct part){ .key = p->key };
}

/* NULL if there is no room for it. */
static struct part *part_for(struct lp_live *live, int64_t key, uint32_t *index)
{
	struct states *s = live->self;

	*index = lp_table_find(&s->parts, key);
	if (*index == LP_NO_ITEM)
		*index = lp_table_need(&s->parts, key);
	if (*index == LP_NO_ITEM) {
		lp_live_stuck(live, LP_LIVE_TOO_MANY);
		return NULL;
	}
	struct part *p = lp_table_at(&s->parts, *index);
	if (!p->configs.count && !p->open) {
		struct config first = { .unknown = s->unknown };
		lp_state_open(&first.state);
		lp_state_begin(&first.state, live->spec);
		LP_PUSH(&p->configs, first);
		p->past_is_cut = s->unknown;
	}
	if (!p->open) {
		p->open = s->spare_open ? s->spare_open : lp_alloc_zero(SLOTS, sizeof *p->open);
		p->past = s->spare_past ? s->spare_past : lp_alloc_zero(PAST, sizeof *p->past);
		s->spare_open = s->spare_past = NULL;
	}
	return p;
}

/* Nothing is open, and one state is left: what came before does not matter.  For the report, that state has to be one
 * that the specification can begin with. */
static void settle(const struct lp_live *live, struct part *p)
{
	struct states *s = live->self;

	if (p->open_count || p->configs.count != 1 || p->configs.at[0].unknown)
		return;
	const struct lp_state *now = &p->configs.at[0].state;
	struct lp_state first;
	lp_state_open(&first);
	lp_state_begin(&first, live->spec);
	const bool is_first = lp_state_equal(&first, now);
	lp_state_close(&first);
	const bool has_base = s->init >= 0 && now->count == (s->by_key ? 2u : 1u);
	if (is_first || has_base) {
		for (uint32_t i = 0; i < p->past_count; i++)
			held_drop(&p->past[i]);
		p->past_count = 0;
		p->past_is_cut = false;
		p->has_base = !is_first;
		p->base = is_first ? 0 : now->at[s->by_key];
	}
	/* Between calls a key is a state, and no more. */
	if (!p->past_count) {
		lp_free(s->spare_open);
		lp_free(s->spare_past);
		s->spare_open = p->open;
		s->spare_past = p->past;
		p->open = p->past = NULL;
	}
}

static void blame(struct lp_live *live, struct part *p)
{
	live->is_partial = p->past_is_cut;
	live->has_base = p->has_base && !p->past_is_cut;
	live->base = p->base;
	for (uint32_t i = 0; i < p->past_count; i++)
		lp_live_blame_call(live, &p->past[i].call);
	for (uint32_t i = 0; i < SLOTS; i++)
		if (p->open[i].used)
			lp_live_blame_call(live, &p->open[i].call);
	lp_live_wrong(live, "the specification accepts no order of the calls", 0);
}

/* ---- The checker ---- */

static bool states_open(struct lp_live *live)
{
	struct states *s = lp_try_alloc_zero(1, sizeof *s);

	live->self = s;
	if (!s)
		return false;
	s->by_key = live->spec->kind->by_key;
	s->init = lp_spec_param(live->spec, "init");
	return lp_table_open(&s->parts, sizeof(struct part), live->most);
}

static void close_parts(struct states *s)
{
	for (uint32_t i = 0; i < s->parts.used; i++)
		part_close(lp_table_at(&s->parts, i));
}

static void states_close(struct lp_live *live)
{
	struct states *s = live->self;

	if (!s)
		return;
	close_parts(s);
	lp_table_close(&s->parts);
	configs_clear(&s->todo);
	lp_free(s->todo.at);
	lp_fingerprints_close(&s->seen);
	lp_free(s->spare_open);
	lp_free(s->spare_past);
	lp_free(s);
}

static void states_forget(struct lp_live *live, bool unknown, uint64_t until)
{
	struct states *s = live->self;

	(void)until;
	close_parts(s);
	lp_table_clear(&s->parts);
	s->unknown = unknown;
	live->has_base = false;
}

static void states_start(struct lp_live *live, const struct lp_live_call *c, uint64_t *handle, bool carried)
{
	struct states *s = live->self;
	uint32_t index, slot = 0;

	*handle = 0;
	if (s->by_key && (live->spec->kind->methods[c->method].roles & LP_WHOLE)) {
		live->ignored += !carried; /* it is about all keys at a time: left out, which is sound as it changes nothing */
		return;
	}
	struct part *p = part_for(live, s->by_key ? c->words[0] : 0, &index);
	if (!p)
		return;
	while (slot < SLOTS && p->open[slot].used)
		slot++;
	if (slot == SLOTS) {
		lp_live_stuck(live, "more than 64 calls overlap");
		return;
	}
	struct held *h = &p->open[slot];
	*h = (struct held){ .call = *c, .used = true, .carried = carried, .seq = ++s->seq };
	h->words = c->word_count > FEW ? lp_alloc(sizeof *h->words * c->word_count) : h->few;
	memcpy(h->words, c->words, sizeof *h->words * c->word_count);
	h->call.words = h->words;
	p->open_count++;
	*handle = ((uint64_t)index + 1) << 8 | slot;
}

static void states_end(struct lp_live *live, const struct lp_live_call *c, uint64_t handle)
{
	struct states *s = live->self;

	(void)c;
	if (!handle)
		return;
	struct part *p = lp_table_at(&s->parts, (uint32_t)(handle >> 8) - 1);
	const uint32_t slot = handle & 255;
	close_over(live, p, slot);
	if (live->stuck)
		return;
	if (!p->configs.count) {
		blame(live, p);
		return;
	}
	struct held *h = &p->open[slot];
	p->open_count--;
	if (p->past_count < PAST) {
		struct held *to = &p->past[p->past_count++];
		*to = *h;
		if (h->words == h->few)
			to->words = to->few;
		to->call.words = to->words;
		h->used = false;
		h->call.word_count = 0;
	} else {
		p->past_is_cut = true;
		held_drop(h);
	}
	settle(live, p);
}

/* Something that the specification has no room for: the wrong number of results, say. */
static bool states_is_beyond(const struct lp_live *live, const struct lp_live_call *c)
{
	const struct lp_method *m = &live->spec->kind->methods[c->method];
	const uint32_t results = m->result == LP_NOTHING ? 0 : 1;

	if (c->word_count < m->args || (m->roles & LP_CHOOSES))
		return true;
	if (m->roles & LP_WHOLE)
		return false; /* nothing may be all that there is */
	return m->result == LP_VALUES ? c->word_count == m->args : c->word_count != m->args + results;
}

static uint64_t states_bytes(const struct lp_live *live)
{
	const struct states *s = live->self;

	/* A key between calls: its part, one pair, a few words. */
	return lp_table_bytes(&s->parts) + (uint64_t)s->parts.count * (sizeof(struct config) + 64);
}

const struct lp_live_kind lp_live_states = {
	.open = states_open,
	.close = states_close,
	.forget = states_forget,
	.start = states_start,
	.end = states_end,
	.is_beyond = states_is_beyond,
	.bytes = states_bytes,
	.wants_ticks = true,
};
