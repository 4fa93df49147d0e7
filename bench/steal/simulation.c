/* simulation.c -- discrete events: work stealing of many ranks on a tree of work. */
#include "simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "explore/sample/rng.h"

enum kind {
	HUNGRY,   /* workers of a host look around again */
	AT_LIST,  /* a message has arrived at a list */
	AT_HOST,  /* or at a host */
	RETRY,    /* a list asks again */
};
enum message { TAKE, GIVE, NONE, ASK };
enum { MOST_BATCH = 64, NO_RANK = -1 };
static const double PATIENCE = 1e-3; /* before those that had nothing are asked again */

struct piece {
	uint64_t from, end;
};

struct event {
	double at;
	enum kind kind;
	enum message message;
	int32_t who, sender;   /* worker, host or list; of a message: the host or list that it is from */
	uint32_t count;
	struct piece piece[MOST_BATCH];
};

struct worker {
	bool busy;
	struct piece piece;
	double since;    /* when it was, or will be, at piece.from */
};

struct pieces {
	LP_VEC(struct piece);
};

struct host {
	struct pieces pool;
	uint32_t idle;
	bool asked, looking; /* TAKE is under way; HUNGRY is planned */
};

/* When workers finish what they have.  That changes whenever one gives something away, so it is not in the queue of events, which
 * would be full of outdated ones: it is a tree of minima over the workers. */
struct ends {
	double *at;      /* INFINITY: the worker is idle */
	uint32_t *first; /* of each node, from 1 on: the worker that finishes first */
	uint32_t leaves; /* a power of two */
};

/* Of a group, or, the last one, of all. */
struct work_list {
	struct pieces pieces;
	struct { LP_VEC(int32_t); } waiting; /* hosts, or groups */
	uint32_t asks;       /* under way */
	uint32_t next;       /* whom to ask */
	uint32_t in_vain;    /* of those asked since a piece came */
	bool retries, asked; /* RETRY is planned; a group has asked for work itself */
	double free, busy;   /* when it can serve, and for how long it has served */
};

struct simulation {
	const struct tree *tree;
	const struct setting *setting;
	struct worker *worker;
	struct host *host;
	struct work_list *list; /* groups, then all */
	struct { LP_VEC(struct event *); } queue; /* a heap by time */
	struct ends ends;
	struct lp_rng rng;
	double now;
	uint64_t left;
	struct outcome out;
};

/* ---- events ---- */

static void plan(struct simulation *s, const struct event *e)
{
	struct event *copy = lp_realloc(NULL, sizeof *copy);
	uint32_t i = s->queue.count;

	*copy = *e;
	LP_PUSH(&s->queue, copy);
	for (; i && s->queue.at[(i - 1) / 2]->at > copy->at; i = (i - 1) / 2)
		s->queue.at[i] = s->queue.at[(i - 1) / 2];
	s->queue.at[i] = copy;
}

static struct event *next_event(struct simulation *s)
{
	struct event *first = s->queue.at[0], *last = s->queue.at[--s->queue.count];
	uint32_t i = 0;

	for (uint32_t c = 1; c < s->queue.count; c = 2 * i + 1) {
		c += c + 1 < s->queue.count && s->queue.at[c + 1]->at < s->queue.at[c]->at;
		if (last->at <= s->queue.at[c]->at)
			break;
		s->queue.at[i] = s->queue.at[c];
		i = c;
	}
	if (s->queue.count)
		s->queue.at[i] = last;
	return first;
}

static void open_ends(struct ends *e, uint32_t workers)
{
	*e = (struct ends){ .leaves = 1 };
	while (e->leaves < workers)
		e->leaves *= 2;
	e->at = lp_realloc(NULL, sizeof *e->at * e->leaves);
	e->first = lp_realloc(NULL, sizeof *e->first * 2 * e->leaves);
	for (uint32_t i = 0; i < e->leaves; i++) {
		e->at[i] = INFINITY;
		e->first[e->leaves + i] = i;
	}
	for (uint32_t i = e->leaves; i-- > 1;)
		e->first[i] = e->first[2 * i];
}

static void set_end(struct ends *e, uint32_t worker, double at)
{
	e->at[worker] = at;
	for (uint32_t i = (e->leaves + worker) / 2; i; i /= 2) {
		const uint32_t a = e->first[2 * i], b = e->first[2 * i + 1];
		e->first[i] = e->at[b] < e->at[a] ? b : a;
	}
}

static void send(struct simulation *s, struct event e)
{
	const struct costs *c = &s->setting->costs;

	e.at = s->now + c->latency + e.count * c->piece;
	s->out.messages++;
	s->out.pieces += e.count;
	plan(s, &e);
}

/* ---- workers ---- */

static uint32_t list_of_host(const struct simulation *s, uint32_t host)
{
	return host * s->setting->groups / s->setting->hosts;
}

/* From which graph on the worker's piece is still its own choice to give. */
static uint64_t position(const struct simulation *s, const struct worker *w)
{
	const double done = (s->now - w->since) / s->setting->costs.graph;

	return done <= 0 ? w->piece.from : w->piece.from + (uint64_t)done < w->piece.end ? w->piece.from + (uint64_t)done : w->piece.end - 1;
}

static void plan_end(struct simulation *s, uint32_t number)
{
	const struct worker *w = &s->worker[number];

	set_end(&s->ends, number, w->since + (double)(w->piece.end - w->piece.from) * s->setting->costs.graph);
}

static void start(struct simulation *s, uint32_t number, struct piece p, double wait)
{
	struct worker *w = &s->worker[number];

	w->busy = true;
	w->piece = p;
	w->since = s->now + wait;
	plan_end(s, number);
}

/* What the worker gives away, if it has something: it loses the time that this takes. */
static bool give(struct simulation *s, uint32_t number, struct piece *p)
{
	struct worker *w = &s->worker[number];

	if (!w->busy)
		return false;
	const uint64_t split = tree_split(s->tree, position(s, w), w->piece.end);
	if (split >= w->piece.end)
		return false;
	*p = (struct piece){ split, w->piece.end };
	w->piece.end = split;
	w->since += s->setting->costs.local;
	plan_end(s, number);
	return true;
}

/* A worker of the host that has something to give, from a random one on. */
static bool give_any(struct simulation *s, uint32_t host, struct piece *p)
{
	const uint32_t n = s->setting->workers, first = lp_rng_below(&s->rng, n);

	for (uint32_t i = 0; i < n; i++)
		if (give(s, host * n + (first + i) % n, p))
			return true;
	return false;
}

/* ---- hosts ---- */

static void ask_list(struct simulation *s, uint32_t host)
{
	if (s->host[host].asked)
		return;
	s->host[host].asked = true;
	send(s, (struct event){ .kind = AT_LIST, .message = TAKE, .who = (int32_t)list_of_host(s, host), .sender = (int32_t)host });
}

/* Idle workers take what there is; if some remain, the host asks. */
static void look_around(struct simulation *s, uint32_t host)
{
	struct host *h = &s->host[host];
	const struct costs *c = &s->setting->costs;
	const uint32_t n = s->setting->workers;
	bool busy = false;

	for (uint32_t i = host * n; h->idle && i < (host + 1) * n; i++) {
		struct piece p;
		if (s->worker[i].busy)
			continue;
		if (h->pool.count) {
			p = h->pool.at[0];
			memmove(h->pool.at, h->pool.at + 1, sizeof p * --h->pool.count);
		} else if (!give_any(s, host, &p)) {
			break;
		}
		s->out.local++;
		h->idle--;
		start(s, i, p, c->local + c->graph / 2); /* a worker looks between two graphs */
	}
	for (uint32_t i = host * n; i < (host + 1) * n; i++)
		busy |= s->worker[i].busy;
	if (h->idle)
		ask_list(s, host);
	if (h->idle && busy && !h->looking) {
		h->looking = true;
		plan(s, &(struct event){ .at = s->now + c->graph + c->local, .kind = HUNGRY, .who = (int32_t)host });
	}
}

/* Pieces that the host gives: of its pool, the last first, and of its workers. */
static uint32_t collect(struct simulation *s, uint32_t host, struct piece *p)
{
	struct host *h = &s->host[host];
	uint32_t count = 0;

	while (count < s->setting->batch && (h->pool.count || give_any(s, host, &p[count]))) {
		if (h->pool.count)
			p[count] = h->pool.at[--h->pool.count];
		count++;
	}
	return count;
}

static void at_host(struct simulation *s, const struct event *e)
{
	const uint32_t host = (uint32_t)e->who;

	if (e->message == ASK) {
		struct event answer = { .kind = AT_LIST, .who = e->sender, .sender = e->who };
		answer.count = collect(s, host, answer.piece);
		answer.message = answer.count ? GIVE : NONE;
		send(s, answer);
		return;
	}
	s->host[host].asked = false;
	for (uint32_t i = 0; i < e->count; i++)
		LP_PUSH(&s->host[host].pool, e->piece[i]);
	look_around(s, host);
}

/* ---- lists ---- */

/* Those below a list: hosts of a group, or groups.  Their messages go to the same kinds of places. */
static bool is_top(const struct simulation *s, uint32_t list)
{
	return s->setting->groups > 1 && list == s->setting->groups;
}

static void members(const struct simulation *s, uint32_t list, uint32_t *first, uint32_t *count)
{
	const uint32_t g = s->setting->groups, n = s->setting->hosts;

	if (is_top(s, list)) {
		*first = 0;
		*count = g;
		return;
	}
	*first = (list * n + g - 1) / g;
	*count = ((list + 1) * n + g - 1) / g - *first;
}

static bool is_waiting(const struct work_list *l, int32_t who)
{
	for (uint32_t i = 0; i < l->waiting.count; i++)
		if (l->waiting.at[i] == who)
			return true;
	return false;
}

static void send_below(struct simulation *s, uint32_t list, struct event e)
{
	e.kind = is_top(s, list) ? AT_LIST : AT_HOST;
	e.sender = (int32_t)list;
	send(s, e);
}

/* Asks as many as there are requests, and none of those that wait.  If all have been asked without success, they are asked again later. */
static void ask_around(struct simulation *s, uint32_t list)
{
	struct work_list *l = &s->list[list];
	uint32_t first, count;

	members(s, list, &first, &count);
	for (uint32_t tried = 0; l->asks < l->waiting.count && tried < count && l->in_vain + l->asks < count; tried++) {
		const int32_t who = (int32_t)(first + l->next++ % count);
		if (is_waiting(l, who)) {
			continue;
		}
		l->asks++;
		send_below(s, list, (struct event){ .message = ASK, .who = who });
	}
	if (l->asks || !l->waiting.count || l->retries)
		return;
	/* A group whose hosts have nothing asks the list above. */
	if (s->setting->groups > 1 && !is_top(s, list) && !l->asked) {
		l->asked = true;
		send(s, (struct event){ .kind = AT_LIST, .message = TAKE, .who = (int32_t)s->setting->groups, .sender = (int32_t)list });
	}
	l->retries = true;
	l->in_vain = 0;
	plan(s, &(struct event){ .at = s->now + PATIENCE, .kind = RETRY, .who = (int32_t)list });
}

/* Pieces go to those that wait, one each. */
static void hand_out(struct simulation *s, uint32_t list)
{
	struct work_list *l = &s->list[list];

	while (l->pieces.count && l->waiting.count) {
		const uint32_t per = (l->pieces.count + l->waiting.count - 1) / l->waiting.count;
		struct event e = { .message = GIVE, .who = l->waiting.at[0] };
		for (; e.count < per && e.count < MOST_BATCH && l->pieces.count; e.count++)
			e.piece[e.count] = l->pieces.at[--l->pieces.count];
		memmove(l->waiting.at, l->waiting.at + 1, sizeof *l->waiting.at * --l->waiting.count);
		send_below(s, list, e);
	}
}

/* What a group gives, when the list above asks: of its list, or of its hosts, which are asked as if for itself. */
static void answer_above(struct simulation *s, uint32_t list)
{
	struct work_list *l = &s->list[list];
	const int32_t above = (int32_t)s->setting->groups;

	if (l->pieces.count || l->waiting.count) {
		struct event e = { .kind = AT_LIST, .who = above, .sender = (int32_t)list, .message = l->pieces.count ? GIVE : NONE };
		while (l->pieces.count && e.count < s->setting->batch)
			e.piece[e.count++] = l->pieces.at[--l->pieces.count];
		send(s, e);
		return;
	}
	LP_PUSH(&l->waiting, NO_RANK - 1 - above);
	ask_around(s, list);
}

static void at_list(struct simulation *s, const struct event *e)
{
	const uint32_t list = (uint32_t)e->who;
	struct work_list *l = &s->list[list];
	const double begin = l->free > s->now ? l->free : s->now, serve = s->setting->costs.serve;

	l->free = begin + serve;
	l->busy += serve;
	s->now = begin + serve; /* what follows is sent then */
	switch (e->message) {
	case TAKE:
		LP_PUSH(&l->waiting, e->sender);
		break;
	case ASK: /* from above */
		answer_above(s, list);
		return;
	case GIVE:
		l->in_vain = 0;
		for (uint32_t i = 0; i < e->count; i++)
			LP_PUSH(&l->pieces, e->piece[i]);
		/* fall through */
	case NONE:
		if (s->setting->groups > 1 && !is_top(s, list) && (uint32_t)e->sender == s->setting->groups) {
			l->asked = false;
		} else {
			l->asks -= l->asks > 0;
			l->in_vain += e->message == NONE;
		}
		break;
	}
	/* The list above, if it waits here, is served first. */
	for (uint32_t i = 0; s->setting->groups > 1 && i < l->waiting.count; i++) {
		if (l->waiting.at[i] >= 0 || !l->pieces.count)
			continue;
		memmove(l->waiting.at + i, l->waiting.at + i + 1, sizeof *l->waiting.at * (--l->waiting.count - i));
		answer_above(s, list);
		break;
	}
	hand_out(s, list);
	ask_around(s, list);
}

/* ---- the whole ---- */

static void finish(struct simulation *s, uint32_t number)
{
	const uint32_t host = number / s->setting->workers;
	struct worker *w = &s->worker[number];

	set_end(&s->ends, number, INFINITY);
	s->left -= w->piece.end - w->piece.from;
	s->out.explored += w->piece.end - w->piece.from;
	w->busy = false;
	s->host[host].idle++;
	look_around(s, host);
}

static void happen(struct simulation *s, const struct event *e)
{
	switch (e->kind) {
	case HUNGRY:
		s->host[e->who].looking = false;
		look_around(s, (uint32_t)e->who);
		break;
	case AT_LIST:
		at_list(s, e);
		break;
	case AT_HOST:
		at_host(s, e);
		break;
	case RETRY:
		s->list[e->who].retries = false;
		ask_around(s, (uint32_t)e->who);
		break;
	}
}

/* What happens first: the end of a worker's piece, or an event.  False if there is neither. */
static bool go_on(struct simulation *s)
{
	const uint32_t worker = s->ends.first[1];
	const double end = s->ends.at[worker];

	if (s->queue.count && s->queue.at[0]->at < end) {
		struct event *e = next_event(s);
		s->now = e->at;
		happen(s, e);
		lp_free(e);
	} else if (end < INFINITY) {
		s->now = end;
		finish(s, worker);
	} else {
		return false;
	}
	s->out.seconds = s->now;
	return true;
}

static void drop(struct simulation *s)
{
	for (uint32_t i = 0; i < s->queue.count; i++)
		lp_free(s->queue.at[i]);
	for (uint32_t i = 0; i < s->setting->hosts; i++)
		lp_free(s->host[i].pool.at);
	for (uint32_t i = 0; i <= s->setting->groups; i++) {
		lp_free(s->list[i].pieces.at);
		lp_free(s->list[i].waiting.at);
	}
	lp_free(s->queue.at);
	lp_free(s->ends.at);
	lp_free(s->ends.first);
	lp_free(s->worker);
	lp_free(s->host);
	lp_free(s->list);
}

static void *zeroed(size_t size)
{
	return memset(lp_realloc(NULL, size), 0, size);
}

struct outcome simulate(const struct tree *tree, const struct setting *setting)
{
	const uint32_t workers = setting->hosts * setting->workers;
	struct simulation s = { .tree = tree, .setting = setting, .rng = { setting->seed }, .left = tree_size(tree) };

	assert(setting->batch <= MOST_BATCH && setting->groups && setting->groups <= setting->hosts);
	s.worker = zeroed(sizeof *s.worker * workers);
	s.host = zeroed(sizeof *s.host * setting->hosts);
	s.list = zeroed(sizeof *s.list * (setting->groups + 1));
	open_ends(&s.ends, workers);
	for (uint32_t h = 0; h < setting->hosts; h++)
		s.host[h].idle = setting->workers;
	s.host[0].idle--;
	start(&s, 0, (struct piece){ 0, s.left }, 0);
	for (uint32_t h = 0; h < setting->hosts; h++)
		look_around(&s, h);
	while (s.left && go_on(&s))
		;
	for (uint32_t i = 0; i <= setting->groups; i++)
		s.out.root = s.list[i].busy / s.out.seconds > s.out.root ? s.list[i].busy / s.out.seconds : s.out.root;
	s.out.efficiency = (double)tree_size(tree) * setting->costs.graph / (workers * s.out.seconds);
	drop(&s);
	return s.out;
}
