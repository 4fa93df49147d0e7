/* live_set.c -- the live checker of sets: the pass of fast_set.c, for all keys at once.
 *
 * A key is on or off.  An insertion or removal that succeeded is a switch.  A switch takes effect as late as possible: when it
 * ends, or when another call that ends needs it.  If several switches could take effect, the one that ends first does.
 *
 * After a gap it is not known whether a key is on.  Both guesses are tried, and the calls are wrong if both fail.  As soon as no
 * call on the key is open and both guesses lead to the same state, one of them is dropped.  A key with calls that started before
 * the end of the gap is not checked until no call on it is open.
 *
 * A key that is off and not in use needs no memory, unless unknown keys may be on.
 */
#include "base/alloc.h"
#include "monitor/index.h"
#include "monitor/live/live_checker.h"
#include "spec/traits.h"

enum part { SWITCH_OFF, SWITCH_ON, LOOK_OFF, LOOK_ON, NO_PART, UNSURE };

enum { GUESSES = 2, NO_NODE = -1, RECENT = 1024 };

/* One way it could be. */
struct guess {
	bool alive;
	bool is_on;
	uint64_t last[2]; /* rank of the last event up to which it was off, on */
};

struct key {
	int64_t value;
	struct guess guess[GUESSES];
	int32_t waiting; /* switches that have started and not ended: nodes */
	uint32_t users;
	bool is_murky;
	uint64_t quiet;  /* rank of the last end after which no call on it was open */
	int8_t quiet_on; /* was it on then?  -1: not known */
};

struct node {
	uint64_t id;  /* the rank of its start */
	uint64_t start, end, tie;
	uint32_t thread;
	int32_t next;
	bool on;
	bool done[GUESSES];
};

/* Calls that have ended, of all keys, for explanations. */
struct recent {
	struct lp_live_call call;
	uint64_t rank;
};

struct set {
	struct lp_table keys;
	uint32_t insert, remove, contains;
	bool unknown;
	struct node *nodes;
	uint32_t room;
	int32_t free;
	struct recent recent[RECENT];
	uint64_t recent_count; /* ever */
};

static enum part part_of(const struct set *s, const struct lp_live_call *c)
{
	if (c->method != s->insert && c->method != s->remove && c->method != s->contains)
		return NO_PART;
	if (c->result != 0 && c->result != 1)
		return UNSURE;
	if (c->method == s->insert)
		return c->result ? SWITCH_ON : LOOK_ON;
	if (c->method == s->remove)
		return c->result ? SWITCH_OFF : LOOK_OFF;
	return c->result ? LOOK_ON : LOOK_OFF;
}

static struct key *key_at(const struct set *s, uint32_t i)
{
	return lp_table_at(&s->keys, i);
}

static int32_t node_new(struct set *s)
{
	if (s->free == NO_NODE) {
		const uint32_t room = s->room ? s->room * 2 : 256;
		struct node *nodes =
			room < 1u << 24 ? lp_try_realloc(s->nodes, sizeof *nodes * room) : NULL;
		if (!nodes)
			return NO_NODE;
		for (uint32_t i = s->room; i < room; i++)
			nodes[i].next = i + 1 < room ? (int32_t)(i + 1) : NO_NODE;
		s->free = (int32_t)s->room;
		s->nodes = nodes;
		s->room = room;
	}
	const int32_t n = s->free;
	s->free = s->nodes[n].next;
	return n;
}

/* Switches in this guess, by the waiting switch that ends first; false if there is none. */
static bool switch_to(struct set *s, struct key *k, int g, bool on, uint64_t rank)
{
	struct node *best = NULL;

	for (int32_t i = k->waiting; i != NO_NODE; i = s->nodes[i].next) {
		struct node *n = &s->nodes[i];
		if (n->on != on || n->done[g])
			continue;
		if (!best || n->end < best->end || (n->end == best->end && n->tie < best->tie))
			best = n;
	}
	if (!best)
		return false;
	best->done[g] = true;
	k->guess[g].last[k->guess[g].is_on] = rank;
	k->guess[g].is_on = on;
	k->guess[g].last[on] = rank;
	return true;
}

static bool end_guess(struct set *s, struct key *k, int g, enum part part, uint64_t id,
		      uint64_t rank)
{
	struct guess *now = &k->guess[g];
	const bool on = part == SWITCH_ON || part == LOOK_ON;

	if (part == LOOK_ON || part == LOOK_OFF)
		return now->is_on == on || now->last[on] > id || switch_to(s, k, g, on, rank);
	for (int32_t i = k->waiting; i != NO_NODE; i = s->nodes[i].next) {
		struct node *n = &s->nodes[i];
		if (n->id != id)
			continue;
		if (n->done[g])
			return true;
		if (now->is_on == on && !switch_to(s, k, g, !on, rank))
			return false;
		return switch_to(s, k, g, on, rank); /* it ends now, so it is the one that ends first */
	}
	return true;
}

static uint32_t key_for(struct lp_live *live, int64_t value)
{
	struct set *s = live->self;
	uint32_t i = lp_table_find(&s->keys, value);

	if (i != LP_NO_ITEM)
		return i;
	i = lp_table_need(&s->keys, value);
	if (i == LP_NO_ITEM) {
		lp_live_stuck(live, LP_LIVE_TOO_MANY);
		return i;
	}
	struct key *k = key_at(s, i);
	k->waiting = NO_NODE;
	k->guess[0].alive = true;
	k->guess[1].alive = s->unknown;
	k->guess[1].is_on = true;
	k->quiet_on = s->unknown ? -1 : 0;
	return i;
}

static void start(struct lp_live *live, const struct lp_live_call *c, uint64_t *handle,
		  bool carried)
{
	struct set *s = live->self;
	const enum part part = part_of(s, c);

	*handle = 0;
	if (part == NO_PART) {
		live->ignored += !carried;
		return;
	}
	const uint32_t i = key_for(live, c->arg);
	if (i == LP_NO_ITEM)
		return;
	struct key *k = key_at(s, i);
	k->users++;
	k->is_murky |= carried || part == UNSURE;
	*handle = live->rank;
	if (k->is_murky) {
		live->unclear += !carried;
		return;
	}
	if (part != SWITCH_ON && part != SWITCH_OFF)
		return;
	const int32_t n = node_new(s);
	if (n == NO_NODE) {
		lp_live_stuck(live, LP_LIVE_TOO_MANY);
		return;
	}
	s->nodes[n] = (struct node){ .id = live->rank,
				     .start = c->start,
				     .end = c->end,
				     .tie = c->tie,
				     .thread = c->thread,
				     .next = k->waiting,
				     .on = part == SWITCH_ON };
	k->waiting = n;
}

static void node_remove(struct set *s, struct key *k, uint64_t id)
{
	for (int32_t *at = &k->waiting; *at != NO_NODE; at = &s->nodes[*at].next) {
		const int32_t n = *at;
		if (s->nodes[n].id != id)
			continue;
		*at = s->nodes[n].next;
		s->nodes[n].next = s->free;
		s->free = n;
		return;
	}
}

/* No call on the key is open. */
static void settle(struct set *s, uint32_t i, uint64_t rank)
{
	struct key *k = key_at(s, i);
	struct guess *guess = k->guess;

	if (k->is_murky) {
		/* Its switches are out of order: nothing is known about the key. */
		while (k->waiting != NO_NODE)
			node_remove(s, k, s->nodes[k->waiting].id);
		k->is_murky = false;
		for (int g = 0; g < GUESSES; g++)
			guess[g] = (struct guess){ .alive = true, .is_on = g };
	}
	if (guess[0].alive && guess[1].alive && guess[0].is_on == guess[1].is_on)
		guess[1].alive = false;
	k->quiet = rank;
	k->quiet_on = -1;
	if (!guess[0].alive || !guess[1].alive)
		k->quiet_on = guess[0].alive ? guess[0].is_on : guess[1].is_on;
	/* A key in the same state as keys that were never seen need not be remembered. */
	if (k->quiet_on == (s->unknown ? -1 : 0))
		lp_table_remove(&s->keys, i);
}

/* The calls on the key since none was open, and its state then. */
static void blame(struct lp_live *live, const struct key *k)
{
	const struct set *s = live->self;
	const uint64_t count = s->recent_count < RECENT ? s->recent_count : RECENT;
	uint64_t first = LP_LIVE_NEVER;

	for (uint64_t i = s->recent_count - count; i < s->recent_count; i++) {
		const struct recent *r = &s->recent[i % RECENT];
		if (r->call.arg != k->value || r->rank <= k->quiet)
			continue;
		first = r->call.start < first ? r->call.start : first;
		lp_live_blame_call(live, &r->call);
	}
	for (int32_t i = k->waiting; i != NO_NODE; i = s->nodes[i].next) {
		const struct node *n = &s->nodes[i];
		lp_live_blame(live, (struct lp_monitor_op){
					    .start = n->start,
					    .end = LP_LIVE_NEVER,
					    .arg = k->value,
					    .result = LP_VOID,
					    .method = live->names[n->on ? s->insert : s->remove],
					    .thread = n->thread });
		first = n->start < first ? n->start : first;
	}
	if (k->quiet_on > 0)
		lp_live_blame(live, (struct lp_monitor_op){ .end = first - 1,
							    .arg = k->value,
							    .result = 1 });
	lp_live_wrong(live,
		      k->quiet_on < 0 ? "a key is present or absent at the wrong time, "
					"whether it was there at first or not" :
					"a key is present or absent at the wrong time",
		      0);
}

static void end(struct lp_live *live, const struct lp_live_call *c, uint64_t handle)
{
	struct set *s = live->self;
	const enum part part = part_of(s, c);
	const uint32_t i = handle ? lp_table_find(&s->keys, c->arg) : LP_NO_ITEM;

	if (i == LP_NO_ITEM)
		return;
	struct key *k = key_at(s, i);
	k->users--;
	if (!k->is_murky) {
		s->recent[s->recent_count++ % RECENT] = (struct recent){ *c, live->rank };
		bool alive = false;
		for (int g = 0; g < GUESSES; g++) {
			if (k->guess[g].alive)
				k->guess[g].alive = end_guess(s, k, g, part, handle, live->rank);
			alive |= k->guess[g].alive;
		}
		node_remove(s, k, handle);
		if (!alive)
			blame(live, k);
	}
	if (!k->users)
		settle(s, i, live->rank);
}

static void forget(struct lp_live *live, bool unknown, uint64_t until)
{
	struct set *s = live->self;

	(void)until;
	lp_table_clear(&s->keys);
	s->recent_count = 0;
	s->unknown = unknown;
	s->free = s->room ? 0 : NO_NODE;
	for (uint32_t i = 0; i < s->room; i++)
		s->nodes[i].next = i + 1 < s->room ? (int32_t)(i + 1) : NO_NODE;
}

static bool open_set(struct lp_live *live)
{
	struct set *s = lp_try_alloc_zero(1, sizeof *s);

	live->self = s;
	if (!s)
		return false;
	s->insert = lp_kind_method(live->spec->kind, LP_VERB_INSERT);
	s->remove = lp_kind_method(live->spec->kind, LP_VERB_ERASE);
	s->contains = lp_kind_method(live->spec->kind, LP_VERB_CONTAINS);
	s->free = NO_NODE;
	return lp_table_open(&s->keys, sizeof(struct key), live->most);
}

static void close_set(struct lp_live *live)
{
	struct set *s = live->self;

	if (!s)
		return;
	lp_table_close(&s->keys);
	lp_free(s->nodes);
	lp_free(s);
}

static uint64_t bytes(const struct lp_live *live)
{
	const struct set *s = live->self;
	return sizeof *s + lp_table_bytes(&s->keys) + sizeof *s->nodes * (uint64_t)s->room;
}

const struct lp_live_kind lp_live_set = {
	.open = open_set,
	.close = close_set,
	.forget = forget,
	.start = start,
	.end = end,
	.bytes = bytes,
};
