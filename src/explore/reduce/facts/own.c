/* own.c -- memory that only its thread can know of. */
#include "explore/reduce/facts/own.h"

#include "base/error.h"

enum {
	FOUND = 32,  /* the most pieces of memory that are found between two events that others can see;
	              * further ones are not noted */
	LONG = 1024, /* when a list has this many blocks, found ones are no longer added */
	BYTES = 64,  /* the most bytes of an access that finds memory */
};

void lp_own_close(struct lp_own *o)
{
	lp_free(o->blocks.at);
	lp_free(o->last.at);
	*o = (struct lp_own){ 0 };
}

static void add(struct lp_own *o, struct lp_own_block b)
{
	while (o->last.count <= b.thread)
		LP_PUSH(&o->last, 0);
	b.before = o->last.at[b.thread];
	LP_HOLDS(b.before <= o->blocks.count && (!b.before || o->blocks.at[b.before - 1].thread == b.thread));
	LP_PUSH(&o->blocks, b);
	o->any = true;
	o->last.at[b.thread] = o->blocks.count;
}

/* 1 + the index of the thread's last block, or 0, by a search of the whole list; for debug builds. */
static uint32_t search_last(const struct lp_own *o, lp_tid t)
{
	uint32_t i = o->blocks.count;

	while (i && o->blocks.at[i - 1].thread != t)
		i--;
	return i;
}

static bool is_linked(const struct lp_own *o)
{
	for (lp_tid t = 0; t < o->last.count; t++)
		if (o->last.at[t] != search_last(o, t))
			return false;
	return true;
}

void lp_own_cut(struct lp_own *o, uint32_t count)
{
	LP_HOLDS(count <= o->blocks.count);
	for (; o->blocks.count > count; o->blocks.count--)
		o->last.at[LP_LAST(&o->blocks).thread] = LP_LAST(&o->blocks).before;
	LP_VALID(is_linked(o));
}

/* The thread's last block, or NULL; and the one before it. */
static const struct lp_own_block *last_of(const struct lp_own *o, lp_tid t)
{
	LP_AGREES(search_last(o, t) == (t < o->last.count ? o->last.at[t] : 0));
	return t < o->last.count && o->last.at[t] ? &o->blocks.at[o->last.at[t] - 1] : NULL;
}

static const struct lp_own_block *before(const struct lp_own *o, const struct lp_own_block *b)
{
	LP_HOLDS(!b->before || &o->blocks.at[b->before - 1] < b);
	return b->before ? &o->blocks.at[b->before - 1] : NULL;
}

void lp_own_allocated(struct lp_own *o, lp_tid t, uintptr_t loc, size_t size)
{
	if (o->on && size)
		add(o, (struct lp_own_block){ .thread = t, .loc = loc, .size = size });
}

static bool has(const struct lp_own_block *b, uintptr_t loc, size_t size)
{
	return loc >= b->loc && loc - b->loc < b->size && size <= b->size - (loc - b->loc);
}

/* The index of the first SPAWN of the first thread. */
static uint32_t first_spawn(const struct lp_graph *g)
{
	uint32_t first = UINT32_MAX;

	for (lp_tid t = 1; t < g->threads.count; t++) {
		const lp_eid spawn = g->threads.at[t].spawn;
		if (spawn == LP_NO_EVENT)
			continue;
		const struct lp_event *e = lp_graph_event(g, spawn);
		if (!e->thread && e->index < first)
			first = e->index;
	}
	return first;
}

bool lp_own_finds(struct lp_own *o, const struct lp_race *race, const struct lp_graph *g,
		  const struct lp_race_access *now, uintptr_t loc, size_t size)
{
	const lp_tid t = now->thread;
	uint32_t found = 0;

	LP_HOLDS(size && loc + size - 1 >= loc);
	if (!now->write || !o->on || !g || size > BYTES)
		return false;
	for (const struct lp_own_block *b = last_of(o, t); b && b->size; b = before(o, b)) {
		if (b->found && has(b, loc, size))
			return true;
		found += b->found;
	}
	const uint32_t early = first_spawn(g);
	if (found >= FOUND || o->blocks.count >= LONG || (!t && now->epoch <= early) ||
	    !lp_race_is_untouched(race, t, early, loc, size))
		return false;
	add(o, (struct lp_own_block){ .thread = t, .found = true, .loc = loc, .size = size });
	return true;
}

void lp_own_publish(struct lp_own *o, lp_tid t, uint32_t index)
{
	const struct lp_own_block *last = last_of(o, t);

	if (last && last->size)
		add(o, (struct lp_own_block){ .thread = t, .index = index });
	LP_HOLDS(!last_of(o, t) || !last_of(o, t)->size); /* the thread has no own memory any more */
}

bool lp_own_has(const struct lp_own *o, lp_tid t, uintptr_t loc, size_t size)
{
	for (const struct lp_own_block *b = last_of(o, t); b && b->size; b = before(o, b))
		if (!b->found && has(b, loc, size))
			return true;
	return false;
}

/* Has the thread of block i, after this block, performed an event that others can see and that is
 * in the past of the clock? */
static bool is_told(const struct lp_own *o, uint32_t i, const uint32_t *clock)
{
	const lp_tid t = o->blocks.at[i].thread;

	for (uint32_t k = i + 1; k < o->blocks.count; k++)
		if (o->blocks.at[k].thread == t && !o->blocks.at[k].size)
			return clock[t] > o->blocks.at[k].index;
	return false;
}

/* The block with these bytes that another thread has allocated (or found); the number of blocks if there is none. */
static uint32_t block_of_other(const struct lp_own *o, lp_tid t, bool found, uintptr_t loc, size_t size)
{
	uint32_t i = 0;

	while (i < o->blocks.count &&
	       (o->blocks.at[i].thread == t || o->blocks.at[i].found != found || !has(&o->blocks.at[i], loc, size)))
		i++;
	return i;
}

bool lp_own_was_found(const struct lp_own *o, lp_tid t, uintptr_t loc, size_t size, const uint32_t *clock)
{
	const uint32_t i = clock ? block_of_other(o, t, true, loc, size) : o->blocks.count;

	return i < o->blocks.count && is_told(o, i, clock);
}

bool lp_own_is_told(const struct lp_own *o, lp_tid t, uintptr_t loc, size_t size, const uint32_t *clock)
{
	const uint32_t i = clock ? block_of_other(o, t, false, loc, size) : o->blocks.count;

	return i < o->blocks.count && is_told(o, i, clock);
}

bool lp_own_is_untold(const struct lp_own *o, lp_tid t, uintptr_t loc, size_t size, const uint32_t *clock)
{
	const uint32_t i = block_of_other(o, t, false, loc, size);

	return i < o->blocks.count && !is_told(o, i, clock);
}
