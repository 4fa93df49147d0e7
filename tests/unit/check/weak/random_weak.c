/* random_weak.c -- replicas that tell each other what was done. */
#include "random_weak.h"

#include <string.h>

enum { SESSIONS = 3, MOST = 16 };

struct palette {
	const char *kind, *methods[8];
};

static const struct palette palettes[] = {
	{ "register", { "read", "read", "write", "write", "swap" } },
	{ "map", { "get", "get", "put", "put", "remove", "contains", "entries" } },
	{ "set", { "insert", "insert", "remove", "contains", "contains", "is_empty", "read" } },
	{ "counter", { "read", "read", "increment", "add", "decrement", "fetch_add", "increment_fetch" } },
};

struct world {
	struct lp_history *h;
	const struct lp_spec *spec;
	struct random_source *r;
	uint32_t log[SESSIONS][MOST], logged[SESSIONS]; /* the updates that a replica has, in the order it runs them */
	bool by_stamp;    /* replicas sort them by number */
	bool fifo, lossy, distinct;
	uint32_t methods; /* so many of the palette */
};

static const char *random_method(struct world *w)
{
	const struct palette *p = palettes;

	while (strcmp(p->kind, w->spec->kind->name))
		p++;
	uint32_t count = 0;
	while (count < 8 && p->methods[count])
		count++;
	return p->methods[below(w->r, w->methods < count ? w->methods : count)];
}

static bool knows(const struct world *w, uint32_t session, uint32_t call)
{
	for (uint32_t i = 0; i < w->logged[session]; i++)
		if (w->log[session][i] == call)
			return true;
	return false;
}

static void learn(struct world *w, uint32_t session, uint32_t call)
{
	uint32_t at = w->logged[session]++;

	for (; w->by_stamp && at && w->log[session][at - 1] > call; at--)
		w->log[session][at] = w->log[session][at - 1];
	w->log[session][at] = call;
}

static const struct lp_method *method_of(const struct world *w, uint32_t call, uint32_t *index)
{
	const char *name = w->h->methods.at[w->h->at[call].method];

	*index = lp_method_named(w->spec->kind, name, strlen(name));
	return &w->spec->kind->methods[*index];
}

/* Some of what others have done arrives. */
static void receive(struct world *w, uint32_t session, uint32_t now)
{
	for (uint32_t i = 0; i < now; i++) {
		uint32_t m;
		if ((method_of(w, i, &m)->roles & LP_READS) == LP_READS || knows(w, session, i))
			continue;
		if (below(w->r, 3))
			learn(w, session, i);
		else if (w->fifo)
			return; /* and nothing that was done later */
	}
	if (w->lossy && w->logged[session] && !below(w->r, 4))
		w->logged[session]--;
}

/* The state of the replica; then a result that is right there. */
static void answer(struct world *w, uint32_t session, uint32_t call)
{
	struct lp_call *c = &w->h->at[call];
	uint32_t m;
	const enum lp_shape shape = method_of(w, call, &m)->result;
	struct lp_state s, trial;
	int64_t result[MOST];

	lp_state_open(&s);
	lp_state_open(&trial);
	lp_state_begin(&s, w->spec);
	for (uint32_t i = 0; i < w->logged[session]; i++) {
		const struct lp_call *u = &w->h->at[w->log[session][i]];
		struct lp_spec_call step = { .arg = u->arg, .args = u->args };
		uint32_t index;
		method_of(w, w->log[session][i], &index);
		lp_spec_step(w->spec, index, &s, &step);
	}
	c->results = shape != LP_NOTHING;
	if (shape == LP_VALUES) {
		c->results = s.count;
		c->result = w->h->values.count;
		for (uint32_t i = 0; i < s.count; i++)
			LP_PUSH(&w->h->values, s.at[i]);
		if (c->results == 1)
			c->result = s.at[0];
	}
	for (int64_t j = -8; shape != LP_NOTHING && shape != LP_VALUES && j < 20; j++) {
		struct lp_spec_call step = { .arg = c->arg, .args = c->args, .results = 1, .result = result };
		result[0] = c->result = j == -8 ? LP_NIL : j;
		lp_state_copy(&trial, &s);
		if (lp_spec_step(w->spec, m, &trial, &step) == LP_ACCEPTS)
			break;
	}
	lp_state_close(&s);
	lp_state_close(&trial);
}

static void random_args(struct world *w, uint32_t call)
{
	struct lp_call *c = &w->h->at[call];
	uint32_t m;
	const struct lp_method *method = method_of(w, call, &m);
	const bool keyed = w->spec->kind->by_key;

	c->args = (uint8_t)method->args;
	for (uint32_t a = 0; a < c->args; a++)
		c->arg[a] = keyed && !a ? 1 + below(w->r, 2) : w->distinct ? (int64_t)call + 1 : 1 + below(w->r, 2);
}

static void spoil(struct world *w)
{
	struct lp_call *c = &w->h->at[below(w->r, w->h->count)];
	uint32_t m;
	const enum lp_shape shape = method_of(w, (uint32_t)(c - w->h->at), &m)->result;

	if (c->results == LP_RESULT_UNKNOWN || shape == LP_NOTHING || shape == LP_VALUES)
		return;
	const struct lp_call *other = &w->h->at[below(w->r, w->h->count)];
	if (!below(w->r, 4))
		c->results = LP_RESULT_UNKNOWN;
	else if (shape == LP_TRUTH)
		c->result = !c->result;
	else if (other->args && below(w->r, 8)) /* what another call wrote, if it is that */
		c->result = other->arg[other->args - 1];
	else
		c->result = below(w->r, 3);
}

void random_weak(struct lp_history *h, const struct lp_spec *spec, uint32_t calls, struct random_source *r)
{
	struct world w = { .h = h, .spec = spec, .r = r, .by_stamp = below(r, 2), .fifo = below(r, 2),
			   .lossy = !below(r, 3), .distinct = below(r, 3), .methods = 3 + below(r, 6) };
	const uint32_t sessions = below(r, 8) ? 2 + below(r, SESSIONS - 1) : 1;
	int64_t free_at[SESSIONS] = { 0 };
	bool gone[SESSIONS] = { 0 };

	for (uint32_t i = 0; i < calls; i++) {
		const uint32_t s = below(r, sessions);
		const char *name = random_method(&w);
		const int64_t start = free_at[s] > 10 * (int64_t)i ? free_at[s] : 10 * (int64_t)i;
		if (gone[s])
			continue;
		LP_PUSH(h, (struct lp_call){ .thread = s, .start = start, .end = start + below(r, 25), .line = i + 1,
					     .method = lp_history_method(h, name, strlen(name)) });
		const uint32_t call = h->count - 1;
		random_args(&w, call);
		receive(&w, s, call);
		answer(&w, s, call);
		uint32_t m;
		if ((method_of(&w, call, &m)->roles & LP_READS) != LP_READS && (!w.lossy || below(r, 8)))
			learn(&w, s, call);
		free_at[s] = h->at[call].end;
		if (!below(r, 12)) {
			gone[s] = true;
			h->at[call].end = LP_PENDING;
			h->at[call].results = LP_RESULT_UNKNOWN;
		}
	}
	for (uint32_t i = below(r, 4); h->count && i > 1; i--)
		spoil(&w);
}
