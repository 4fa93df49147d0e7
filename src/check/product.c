/* product.c -- a specification, determinised (product.h). */
#include "check/product.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "check/place.h"
#include "check/relax.h"
#include "spec/spec.h"

_Static_assert((int)LP_PRODUCT_ARGS == (int)LP_MAX_ARGS, "calls have as many arguments");

/* What a way says of a process: 0 it is in no call; 1 + c its call c is still to take
 * effect; DONE | r it has, with the r-th result; OPEN | c it has, with a result that was never
 * seen.  The last is for calls that may never return, and until what they return is learnt. */
enum { IDLE = 0, OPEN = 0x4000, DONE = 0x8000, HIGHEST = 0x3fff };

struct way {
	uint32_t state;
	uint16_t status[LP_PRODUCT_THREADS];
	uint32_t zero; /* for hashing by words */
};

/* What is known of a way, beside it. */
struct way_facts {
	uint64_t hash;
	uint64_t stamp;            /* met in the work that has this number */
	uint32_t *below, count;    /* what it can become; NULL: not yet known */
};

struct set {
	uint32_t first, count; /* in `members`, ascending */
};

/* Open addressing; holds 1 + an index. */
struct table {
	uint32_t *at, room, count;
};

/* What some call was seen to return. */
struct result {
	uint32_t call;
	int64_t value;
};

enum { STEP_CALLS = 1, STEP_RETURNS, STEP_WITHIN, STEP_RENAME };
struct step {
	uint64_t what; /* all of it but for the set; never 0 */
	uint32_t set, next;
};

struct ways {
	LP_VEC(uint32_t);
};

struct lp_product {
	const struct lp_spec *spec;
	const struct lp_product_call *calls;
	uint32_t threads, call_count;
	struct { LP_VEC(struct lp_state); } before; /* that the calls before may have led to */
	struct { LP_VEC(struct result); } results;
	struct { LP_VEC(uint32_t); } *seen;         /* by call: results */
	struct { LP_VEC(uint32_t); } reached;       /* states, with results that were seen */
	struct { LP_VEC(struct lp_state); } states;
	struct { LP_VEC(struct way); } ways;
	struct { LP_VEC(struct way_facts); } facts; /* by way */
	uint64_t stamp;
	struct lp_arena arena;                      /* of `below` */
	struct { LP_VEC(uint64_t); } looks;         /* by set and process; 0: not yet known */
	struct { LP_VEC(struct ways); } closed;     /* by set: all that its ways are or can become */
	struct { LP_VEC(struct set); } sets;
	struct { LP_VEC(uint32_t); } members;
	struct table by_state, by_way, by_set;
	struct step *steps;
	uint32_t step_room, step_count;
	struct ways found, other;                   /* of the set that is being made */
	struct ways tried;                          /* that a way can become, so far */
	struct lp_state scratch;
	const uint32_t *factor;                     /* by method: quasi factors; or NULL */
	struct lp_state quasi_scratch[LP_RELAX_SCRATCH];
};

/* ---- hash-consing ---- */

typedef uint64_t hash_at(const struct lp_product *, uint32_t index);

static uint64_t hash_bytes(const void *bytes, size_t size)
{
	struct lp_fingerprint print = LP_FINGERPRINT;

	lp_fingerprint_bytes(&print, bytes, size);
	return print.a;
}

static uint64_t hash_state(const struct lp_product *p, uint32_t i)
{
	return hash_bytes(p->states.at[i].at, sizeof(int64_t) * p->states.at[i].count);
}

static uint64_t hash_way(const struct lp_product *p, uint32_t i)
{
	return p->facts.at[i].hash;
}

_Static_assert(sizeof(struct way) % 8 == 0, "a way is words");

static uint64_t hash_of_way(const struct way *w)
{
	uint64_t words[sizeof *w / 8], hash = 0;

	memcpy(words, w, sizeof *w);
	for (size_t i = 0; i < sizeof *w / 8; i++)
		hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
	return lp_mix(hash);
}

static uint64_t hash_set(const struct lp_product *p, uint32_t i)
{
	const struct set *s = &p->sets.at[i];
	return hash_bytes(p->members.at + s->first, sizeof(uint32_t) * s->count);
}

static void grow(const struct lp_product *p, struct table *t, hash_at *hash)
{
	if (2 * t->count < t->room)
		return;
	t->room = t->room ? 2 * t->room : 256;
	lp_free(t->at);
	t->at = lp_alloc_zero(t->room, sizeof *t->at);
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t slot = (uint32_t)hash(p, i) & (t->room - 1);
		while (t->at[slot])
			slot = (slot + 1) & (t->room - 1);
		t->at[slot] = i + 1;
	}
}

static uint32_t intern_state(struct lp_product *p, const struct lp_state *s)
{
	grow(p, &p->by_state, hash_state);
	uint32_t slot = (uint32_t)hash_bytes(s->at, sizeof(int64_t) * s->count) &
			(p->by_state.room - 1);
	for (; p->by_state.at[slot]; slot = (slot + 1) & (p->by_state.room - 1))
		if (lp_state_equal(&p->states.at[p->by_state.at[slot] - 1], s))
			return p->by_state.at[slot] - 1;
	struct lp_state copy;
	lp_state_open(&copy);
	lp_state_copy(&copy, s);
	LP_PUSH(&p->states, copy);
	p->by_state.at[slot] = ++p->by_state.count;
	return p->by_state.count - 1;
}

static uint32_t intern_way(struct lp_product *p, const struct way *w)
{
	grow(p, &p->by_way, hash_way);
	const uint64_t hash = hash_of_way(w);
	uint32_t slot = (uint32_t)hash & (p->by_way.room - 1);
	for (; p->by_way.at[slot]; slot = (slot + 1) & (p->by_way.room - 1)) {
		const uint32_t known = p->by_way.at[slot] - 1;
		if (p->facts.at[known].hash == hash &&
		    !memcmp(&p->ways.at[known], w, sizeof *w))
			return known;
	}
	LP_PUSH(&p->ways, *w);
	LP_PUSH(&p->facts, ((struct way_facts){ .hash = hash }));
	p->by_way.at[slot] = ++p->by_way.count;
	return p->by_way.count - 1;
}

static const struct way_facts *facts_below(struct lp_product *p, uint32_t way);

static int by_number(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static void sort_ways(struct ways *w)
{
	uint32_t kept = 0;

	if (w->count)
		qsort(w->at, w->count, sizeof *w->at, by_number);
	for (uint32_t i = 0; i < w->count; i++)
		if (!kept || w->at[kept - 1] != w->at[i])
			w->at[kept++] = w->at[i];
	w->count = kept;
}

/* A way that another of the set can become says nothing new. */
static void drop_redundant(struct lp_product *p)
{
	uint32_t kept = 0;

	if (p->found.count < 2)
		return;
	/* Whatever is not known yet is found out first: that has work of its own. */
	for (uint32_t i = 0; i < p->found.count; i++)
		facts_below(p, p->found.at[i]);
	p->stamp++;
	for (uint32_t i = 0; i < p->found.count; i++) {
		const struct way_facts *f = &p->facts.at[p->found.at[i]];
		for (uint32_t k = 0; k < f->count; k++)
			p->facts.at[f->below[k]].stamp = p->stamp;
	}
	for (uint32_t i = 0; i < p->found.count; i++) {
		struct way_facts *f = &p->facts.at[p->found.at[i]];
		if (f->stamp != p->stamp)
			p->found.at[kept++] = p->found.at[i];
		f->stamp = p->stamp; /* once is enough */
	}
	p->found.count = kept;
}

/* The set of what was found. */
static uint32_t intern_found(struct lp_product *p)
{
	if (!p->found.count)
		return LP_PRODUCT_WRONG;
	drop_redundant(p);
	sort_ways(&p->found);
	const uint32_t kept = p->found.count;
	grow(p, &p->by_set, hash_set);
	uint32_t slot = (uint32_t)hash_bytes(p->found.at, sizeof(uint32_t) * kept) &
			(p->by_set.room - 1);
	for (; p->by_set.at[slot]; slot = (slot + 1) & (p->by_set.room - 1)) {
		const struct set *s = &p->sets.at[p->by_set.at[slot] - 1];
		if (s->count == kept &&
		    !memcmp(p->members.at + s->first, p->found.at, sizeof(uint32_t) * kept))
			return p->by_set.at[slot] - 1;
	}
	LP_PUSH(&p->sets, ((struct set){ p->members.count, kept }));
	for (uint32_t i = 0; i < kept; i++)
		LP_PUSH(&p->members, p->found.at[i]);
	p->by_set.at[slot] = ++p->by_set.count;
	return p->by_set.count - 1;
}

/* The number of a result of the call; `*learnt` if it has none yet, and now does. */
static uint32_t result_number(struct lp_product *p, uint32_t call, int64_t value, bool *learnt)
{
	const uint32_t seen = p->seen[call].count;
	uint32_t i = 0;

	while (i < seen && p->results.at[p->seen[call].at[i]].value != value)
		i++;
	*learnt = i == seen;
	if (*learnt) {
		if (p->results.count > HIGHEST)
			LP_BUG("more than %d different results", HIGHEST);
		LP_PUSH(&p->seen[call], p->results.count);
		LP_PUSH(&p->results, ((struct result){ call, value }));
	}
	return p->seen[call].at[i];
}

/* ---- steps that were taken before ---- */

static struct step *step_place(struct lp_product *p, uint32_t set, uint64_t what)
{
	uint32_t slot = (uint32_t)lp_mix(what * 31 + set) & (p->step_room - 1);

	while (p->steps[slot].what && (p->steps[slot].set != set || p->steps[slot].what != what))
		slot = (slot + 1) & (p->step_room - 1);
	return &p->steps[slot];
}

/* NULL if it was not. */
static const uint32_t *known_step(struct lp_product *p, uint32_t set, uint64_t what)
{
	if (!p->step_room)
		return NULL;
	const struct step *s = step_place(p, set, what);
	return s->what ? &s->next : NULL;
}

static uint32_t remember(struct lp_product *p, uint32_t set, uint64_t what, uint32_t next)
{
	if (2 * p->step_count >= p->step_room) {
		struct step *old = p->steps;
		const uint32_t room = p->step_room;
		p->step_room = room ? 2 * room : 1024;
		p->steps = lp_alloc_zero(p->step_room, sizeof *p->steps);
		for (uint32_t i = 0; i < room; i++)
			if (old[i].what)
				*step_place(p, old[i].set, old[i].what) = old[i];
		lp_free(old);
	}
	*step_place(p, set, what) = (struct step){ what, set, next };
	p->step_count++;
	return next;
}

static uint64_t step_name(unsigned kind, uint32_t thread, uint64_t argument)
{
	return argument << 8 | (uint64_t)thread << 3 | kind;
}

/* ---- the specification ---- */

/* The other side of relax.h: what was seen, and where states go. */
struct relaxed {
	struct lp_product *p;
	void (*then)(struct lp_product *, void *, uint32_t);
	void *closure;
	bool any;
};

static bool nth_event(void *closure, uint32_t method, uint32_t i, struct lp_relax_event *e)
{
	const struct lp_product *p = ((const struct relaxed *)closure)->p;

	for (uint32_t n = 0; n < p->results.count; n++) {
		const struct lp_product_call *c = &p->calls[p->results.at[n].call];
		if (c->method != method || i--)
			continue;
		*e = (struct lp_relax_event){ n, method, c->arg, c->args, p->results.at[n].value };
		return true;
	}
	return false;
}

static void note_relaxed(void *closure, const struct lp_state *state)
{
	struct relaxed *r = closure;

	r->any = true;
	if (r->then)
		r->then(r->p, r->closure, intern_state(r->p, state));
}

/* A call with a result that was seen, of a class that is relaxed. */
static enum lp_answer after_relaxed(struct lp_product *p, uint32_t state, uint32_t number,
				    void (*then)(struct lp_product *, void *, uint32_t),
				    void *closure)
{
	const struct lp_product_call *c = &p->calls[p->results.at[number].call];
	struct relaxed r = { p, then, closure, false };
	const struct lp_relax q = { p->spec, p->factor, nth_event, note_relaxed, &r,
				    p->quasi_scratch };
	const struct lp_relax_event e = { number, c->method, c->arg, c->args,
					  p->results.at[number].value };
	struct lp_state from;

	lp_state_open(&from);
	lp_state_copy(&from, &p->states.at[state]); /* those may move */
	lp_relax_step(&q, &from, &e);
	lp_state_close(&from);
	return r.any ? LP_ACCEPTS : LP_REJECTS;
}

/* Where states are relaxed, the specification's own is inside: takes it out into `scratch`,
 * and afterwards puts it back. */
static void take_out(struct lp_product *p, uint32_t state)
{
	const struct lp_state *from = &p->states.at[state];

	lp_state_copy(&p->scratch, from);
	if (!p->factor)
		return;
	p->scratch.count = (uint32_t)from->at[0];
	memmove(p->scratch.at, p->scratch.at + 1, sizeof *from->at * p->scratch.count);
}

static void put_back(struct lp_product *p, uint32_t state)
{
	const struct lp_state *from = &p->states.at[state];

	if (!p->factor)
		return;
	const uint32_t count = p->scratch.count;
	lp_state_insert(&p->scratch, 0, count);
	for (uint32_t i = (uint32_t)from->at[0] + 1; i < from->count; i++)
		lp_state_push(&p->scratch, from->at[i]);
}

/* Calls `then` for every state that the call can lead to from `state`, with that result
 * (NULL: any).  Returns what the specification said last, LP_ACCEPTS if ever. */
static enum lp_answer after_call(struct lp_product *p, uint32_t state,
				 const struct lp_product_call *c, const int64_t *result,
				 void (*then)(struct lp_product *, void *, uint32_t), void *closure)
{
	const struct lp_method *method = &p->spec->kind->methods[c->method];
	int64_t value = 0;
	struct lp_spec_call call = { .arg = c->arg, .args = c->args };
	enum lp_answer answer = LP_REJECTS;

	if (result) {
		call.results = lp_place_shaped(method, *result, &value);
		call.result = &value;
	}
	do {
		take_out(p, state);
		const enum lp_answer now = lp_spec_step(p->spec, c->method, &p->scratch, &call);
		if (now != LP_ACCEPTS)
			return call.choice ? LP_ACCEPTS : now;
		answer = now;
		put_back(p, state);
		if (then)
			then(p, closure, intern_state(p, &p->scratch));
		call.choice++;
	} while (method->roles & LP_CHOOSES);
	return answer;
}

/* ---- calls and returns ---- */

uint32_t lp_product_calls(struct lp_product *p, uint32_t set, uint32_t thread, uint32_t call)
{
	const uint64_t what = step_name(STEP_CALLS, thread, call);
	const uint32_t *known = known_step(p, set, what);

	if (known)
		return *known;
	p->found.count = 0;
	for (uint32_t i = 0; i < p->sets.at[set].count; i++) {
		struct way w = p->ways.at[p->members.at[p->sets.at[set].first + i]];
		w.status[thread] = (uint16_t)(1 + call);
		const uint32_t way = intern_way(p, &w);
		LP_PUSH(&p->found, way);
	}
	return remember(p, set, what, intern_found(p));
}

/* ---- what a way can become ---- */

struct effect {
	struct way way; /* without the effect */
	uint32_t thread;
	uint16_t status; /* of the thread afterwards */
};

static void take_effect(struct lp_product *p, void *closure, uint32_t state)
{
	const struct effect *e = closure;
	struct way w = e->way;

	w.state = state;
	w.status[e->thread] = e->status;
	if (e->status & DONE) {
		LP_PUSH(&p->reached, state);
	} else {
		/* Where a result that was seen leads as well, that will do. */
		for (uint32_t i = 0; i < p->reached.count; i++)
			if (p->reached.at[i] == state)
				return;
	}
	const uint32_t way = intern_way(p, &w);
	LP_PUSH(&p->tried, way);
}

static bool is_pending(uint16_t status)
{
	return status != IDLE && !(status & (DONE | OPEN));
}

static bool is_relaxed(const struct lp_product *p, uint32_t number)
{
	const struct lp_relax q = { .spec = p->spec, .factor = p->factor };
	const struct result *r = &p->results.at[number];

	return p->factor && lp_relax_relaxes(&q, p->calls[r->call].method, r->value);
}

/* Its call takes effect, with every result that is possible: ways go to `tried`. */
static void let_take_effect(struct lp_product *p, const struct way *way, uint32_t thread)
{
	const uint32_t call = way->status[thread] - 1u;
	struct effect e = { .way = *way, .thread = thread };

	p->reached.count = 0;
	for (uint32_t r = 0; r < p->seen[call].count; r++) {
		const uint32_t number = p->seen[call].at[r];
		const int64_t value = p->results.at[number].value;
		e.status = (uint16_t)(DONE | number);
		if (is_relaxed(p, number))
			after_relaxed(p, way->state, number, take_effect, &e);
		else
			after_call(p, way->state, &p->calls[call], &value, take_effect, &e);
	}
	e.status = (uint16_t)(OPEN | call);
	after_call(p, way->state, &p->calls[call], NULL, take_effect, &e);
}

/* Adds the way to `to` unless it has been met. */
static void add_way(struct lp_product *p, struct ways *to, uint32_t way)
{
	if (p->facts.at[way].stamp == p->stamp)
		return;
	p->facts.at[way].stamp = p->stamp;
	LP_PUSH(to, way);
}

static void add_with_below(struct lp_product *p, struct ways *to, uint32_t way)
{
	const struct way_facts *f = &p->facts.at[way];

	add_way(p, to, way);
	for (uint32_t k = 0; k < f->count; k++)
		add_way(p, to, f->below[k]);
}

/* All that the way can become by calls taking effect, in every order. */
static const struct way_facts *facts_below(struct lp_product *p, uint32_t way)
{
	static uint32_t none;

	if (p->facts.at[way].below)
		return &p->facts.at[way];
	const struct way w = p->ways.at[way];
	p->tried.count = 0;
	for (uint32_t t = 0; t < p->threads; t++)
		if (is_pending(w.status[t]))
			let_take_effect(p, &w, t);
	const uint32_t count = p->tried.count;
	if (!count) {
		p->facts.at[way].below = &none;
		return &p->facts.at[way];
	}
	uint32_t *next = lp_alloc(sizeof *next * count);
	memcpy(next, p->tried.at, sizeof *next * count);
	for (uint32_t i = 0; i < count; i++)
		facts_below(p, next[i]);
	p->stamp++;
	p->other.count = 0;
	for (uint32_t i = 0; i < count; i++)
		add_with_below(p, &p->other, next[i]);
	lp_free(next);
	struct way_facts *f = &p->facts.at[way];
	f->count = p->other.count;
	f->below = lp_arena_alloc(&p->arena, sizeof *f->below * f->count);
	memcpy(f->below, p->other.at, sizeof *f->below * f->count);
	return f;
}

/* All that the ways of the set are or can become. */
static const struct ways *closure_of(struct lp_product *p, uint32_t set)
{
	while (p->closed.count < p->sets.count)
		LP_PUSH(&p->closed, (struct ways){ .room = 0 });
	if (p->closed.at[set].room)
		return &p->closed.at[set];
	const struct set s = p->sets.at[set];
	struct ways all = { .at = NULL };
	for (uint32_t i = 0; i < s.count; i++)
		facts_below(p, p->members.at[s.first + i]);
	p->stamp++;
	for (uint32_t i = 0; i < s.count; i++)
		add_with_below(p, &all, p->members.at[s.first + i]);
	p->closed.at[set] = all;
	return &p->closed.at[set];
}

/* All ways agree on which call the process is in. */
static uint32_t call_of(const struct lp_product *p, uint32_t set, uint32_t thread)
{
	const uint16_t status = p->ways.at[p->members.at[p->sets.at[set].first]].status[thread];

	if (status & DONE)
		return p->results.at[status & ~DONE].call;
	return status & OPEN ? status & ~OPEN : status - 1u;
}

uint32_t lp_product_returns(struct lp_product *p, uint32_t set, uint32_t thread, int64_t result)
{
	const uint32_t call = call_of(p, set, thread);
	const struct lp_method *method = &p->spec->kind->methods[p->calls[call].method];
	int64_t value;
	bool learnt;

	if (!lp_place_shaped(method, result, &value))
		value = LP_VOID;
	const uint32_t number = result_number(p, call, value, &learnt);
	const uint64_t what = step_name(STEP_RETURNS, thread, number);
	if (learnt)
		return LP_PRODUCT_LEARNT;
	const uint32_t *known = known_step(p, set, what);
	if (known)
		return *known;
	const struct ways *all = closure_of(p, set);
	p->found.count = 0;
	/* Where others take effect after it, they can do so later, too: not needed. */
	p->stamp++;
	for (uint32_t i = 0; i < all->count; i++) {
		const struct way_facts *f = &p->facts.at[all->at[i]];
		if (p->ways.at[all->at[i]].status[thread] == (DONE | number))
			for (uint32_t k = 0; k < f->count; k++)
				p->facts.at[f->below[k]].stamp = p->stamp;
	}
	for (uint32_t i = 0; i < all->count; i++) {
		struct way w = p->ways.at[all->at[i]];
		if (w.status[thread] != (DONE | number) ||
		    p->facts.at[all->at[i]].stamp == p->stamp)
			continue;
		w.status[thread] = IDLE;
		const uint32_t way = intern_way(p, &w);
		LP_PUSH(&p->found, way);
	}
	return remember(p, set, what, intern_found(p));
}

bool lp_product_may_wait(struct lp_product *p, uint32_t set, uint32_t thread)
{
	const struct ways *all = closure_of(p, set);

	for (uint32_t i = 0; i < all->count; i++) {
		const struct way *w = &p->ways.at[all->at[i]];
		const uint16_t status = w->status[thread];
		if (is_pending(status) &&
		    after_call(p, w->state, &p->calls[status - 1u], NULL, NULL, NULL) == LP_BLOCKS)
			return true;
	}
	return false;
}

/* ---- comparing sets ---- */

uint32_t lp_product_rename(struct lp_product *p, uint32_t set, const uint8_t *to)
{
	uint64_t what = 0;

	/* Where all but the last go says where that one goes. */
	for (uint32_t t = 0; t + 1 < p->threads; t++)
		what = what << 4 | to[t];
	what = what << 3 | STEP_RENAME;
	const uint32_t *known = known_step(p, set, what);
	if (known)
		return *known;
	p->found.count = 0;
	for (uint32_t i = 0; i < p->sets.at[set].count; i++) {
		const struct way from = p->ways.at[p->members.at[p->sets.at[set].first + i]];
		struct way w = from;
		for (uint32_t t = 0; t < p->threads; t++)
			w.status[to[t]] = from.status[t];
		const uint32_t way = intern_way(p, &w);
		LP_PUSH(&p->found, way);
	}
	return remember(p, set, what, intern_found(p));
}

static uint64_t look_at(const struct lp_product *p, const struct set *s, uint32_t thread)
{
	uint64_t look = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct way *w = &p->ways.at[p->members.at[s->first + i]];
		uint64_t others = 0;
		for (uint32_t t = 0; t < p->threads; t++)
			others += lp_mix(w->status[t] + 1u);
		look += lp_mix(others ^ lp_mix((uint64_t)w->state << 16 | w->status[thread]));
	}
	return look ? look : 1;
}

uint64_t lp_product_look(struct lp_product *p, uint32_t set, uint32_t thread)
{
	while (p->looks.count < p->sets.count * p->threads)
		LP_PUSH(&p->looks, 0);
	uint64_t *known = &p->looks.at[set * p->threads + thread];
	if (!*known)
		*known = look_at(p, &p->sets.at[set], thread);
	return *known;
}

bool lp_product_within(struct lp_product *p, uint32_t a, uint32_t b)
{
	if (a == b)
		return true;
	const uint64_t what = step_name(STEP_WITHIN, 0, b);
	const uint32_t *known = known_step(p, a, what);
	if (known)
		return *known;
	const struct ways *all = closure_of(p, b);
	bool within = true;
	p->stamp++;
	for (uint32_t i = 0; i < all->count; i++)
		p->facts.at[all->at[i]].stamp = p->stamp;
	for (uint32_t i = 0; i < p->sets.at[a].count && within; i++)
		within = p->facts.at[p->members.at[p->sets.at[a].first + i]].stamp == p->stamp;
	return remember(p, a, what, within);
}

/* ---- the whole ---- */

static void drop_states(struct lp_state *at, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		lp_state_close(&at[i]);
	lp_free(at);
}

static void drop_ways(struct ways *at, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		lp_free(at[i].at);
}

void lp_product_again(struct lp_product *p)
{
	drop_ways(p->closed.at, p->closed.count);
	lp_arena_close(&p->arena);
	p->arena = (struct lp_arena){ 0 };
	p->facts.count = p->closed.count = p->looks.count = 0;
	p->ways.count = p->sets.count = p->members.count = 0;
	p->by_way.count = p->by_set.count = p->step_count = 0;
	if (p->by_way.at)
		memset(p->by_way.at, 0, sizeof *p->by_way.at * p->by_way.room);
	if (p->by_set.at)
		memset(p->by_set.at, 0, sizeof *p->by_set.at * p->by_set.room);
	if (p->steps)
		memset(p->steps, 0, sizeof *p->steps * p->step_room);
}

struct lp_product *lp_product_open(const struct lp_spec *spec, uint32_t threads,
				   const struct lp_product_call *calls, uint32_t count)
{
	struct lp_product *p = lp_alloc_zero(1, sizeof *p);
	struct lp_state begin;

	p->spec = spec;
	p->threads = threads;
	p->calls = calls;
	p->call_count = count;
	p->seen = lp_alloc_zero(count + 1, sizeof *p->seen);
	lp_state_open(&p->scratch);
	for (unsigned i = 0; i < LP_RELAX_SCRATCH; i++)
		lp_state_open(&p->quasi_scratch[i]);
	lp_state_open(&begin);
	lp_state_begin(&begin, spec);
	LP_PUSH(&p->before, begin);
	return p;
}

void lp_product_close(struct lp_product *p)
{
	if (!p)
		return;
	drop_states(p->before.at, p->before.count);
	drop_states(p->states.at, p->states.count);
	for (uint32_t i = 0; i < p->call_count; i++)
		lp_free(p->seen[i].at);
	lp_free(p->seen);
	lp_free(p->results.at);
	lp_free(p->ways.at);
	lp_free(p->sets.at);
	lp_free(p->members.at);
	lp_free(p->by_state.at);
	lp_free(p->by_way.at);
	lp_free(p->by_set.at);
	lp_free(p->steps);
	drop_ways(p->closed.at, p->closed.count);
	lp_arena_close(&p->arena);
	lp_free(p->facts.at);
	lp_free(p->looks.at);
	lp_free(p->closed.at);
	lp_free(p->other.at);
	lp_free(p->reached.at);
	lp_free(p->found.at);
	lp_free(p->tried.at);
	lp_state_close(&p->scratch);
	for (unsigned i = 0; i < LP_RELAX_SCRATCH; i++)
		lp_state_close(&p->quasi_scratch[i]);
	lp_free(p);
}

static void note_state(struct lp_product *p, void *closure, uint32_t state)
{
	(void)closure;
	LP_PUSH(&p->found, state);
}

void lp_product_relax(struct lp_product *p, const uint32_t *factor)
{
	p->factor = factor;
	for (uint32_t i = 0; i < p->before.count; i++)
		lp_relax_begin(&p->before.at[i]);
}

bool lp_product_before(struct lp_product *p, const struct lp_product_call *call, int64_t result)
{
	const uint32_t count = p->before.count;
	struct lp_state *old = p->before.at;

	p->before.at = NULL;
	p->before.count = p->before.room = 0;
	p->found.count = 0;
	for (uint32_t i = 0; i < count; i++)
		after_call(p, intern_state(p, &old[i]), call, &result, note_state, NULL);
	sort_ways(&p->found);
	drop_states(old, count);
	for (uint32_t i = 0; i < p->found.count; i++) {
		struct lp_state copy;
		lp_state_open(&copy);
		lp_state_copy(&copy, &p->states.at[p->found.at[i]]);
		LP_PUSH(&p->before, copy);
	}
	return p->before.count > 0;
}

uint32_t lp_product_begin(struct lp_product *p)
{
	p->found.count = 0;
	for (uint32_t i = 0; i < p->before.count; i++) {
		const struct way w = { .state = intern_state(p, &p->before.at[i]) };
		const uint32_t way = intern_way(p, &w);
		LP_PUSH(&p->found, way);
	}
	return intern_found(p);
}

struct lp_product_counts lp_product_counts(const struct lp_product *p)
{
	return (struct lp_product_counts){ p->sets.count, p->ways.count, p->states.count };
}
