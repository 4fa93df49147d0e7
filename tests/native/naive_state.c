/* naive_state.c -- happens-before and memory of abstract programs. */
#include "naive_state.h"

#include <assert.h>
#include <string.h>

/* ---- happens-before ---- */

static bool has(knowers k, int who) { return k >> who & 1; }

static void put(knowers *k, int who, bool value)
{
	*k = (*k & ~((knowers)1 << who)) | (knowers)value << who;
}

void learn(struct state *s, int to, int from, bool only)
{
	knowers *k = &s->known[0][0][0];

	for (int i = 0; i < LOCATIONS * THREADS * KINDS; i++)
		if (k[i])
			put(&k[i], to, has(k[i], from) || (!only && has(k[i], to)));
}

static bool acquires(const struct judge *j, int order)
{
	return !j->orders || order == ACQUIRE || order >= ACQ_REL;
}

static bool releases(const struct judge *j, int order)
{
	return !j->orders || order >= RELEASE;
}

void read_from(const struct judge *j, struct state *s, int t, int o, int order)
{
	learn(s, acquires(j, order) ? thread(t) : to_acquire(t), message(o), false);
}

void written_to(const struct judge *j, struct state *s, int t, int o, int order, bool rmw)
{
	if (releases(j, order)) {
		learn(s, message(o), thread(t), !rmw);
		if (j->orders && o < ATOMICS)
			learn(s, head(t, o), thread(t), true);
		return;
	}
	learn(s, message(o), released(t), !rmw);
	if (o < ATOMICS)
		learn(s, message(o), head(t, o), false);
}

void update(const struct judge *j, struct state *s, int t, int o, int order)
{
	read_from(j, s, t, o, order == RELEASE ? RELAXED : order);
	written_to(j, s, t, o, order == ACQUIRE ? RELAXED : order, true);
}

void fence(const struct judge *j, struct state *s, int t, int order)
{
	if (j->orders && acquires(j, order))
		learn(s, thread(t), to_acquire(t), false);
	if (j->orders && releases(j, order))
		learn(s, released(t), thread(t), true);
}

/* ---- memory ---- */

void fail(struct judge *j, enum naive_error e)
{
	j->answer->errors |= 1U << e;
}

static bool conflict(int a, int b)
{
	const bool plain = a < ATOMIC_READ || b < ATOMIC_READ;
	const bool write = a == PLAIN_WRITE || a == ATOMIC_WRITE || b == PLAIN_WRITE || b == ATOMIC_WRITE;

	return plain && write;
}

/* False: it races. */
static bool is_ordered(struct state *s, int t, int location, int kind)
{
	for (int u = 0; u < THREADS; u++)
		for (int k = 0; k < KINDS; k++)
			if (s->known[location][u][k] && conflict(k, kind) &&
			    !has(s->known[location][u][k], thread(t)))
				return false;
	return true;
}

static void note(struct state *s, int t, int location, int kind)
{
	s->known[location][t][kind] = (knowers)1 << thread(t);
}

bool access_place(struct judge *j, struct state *s, int t, int location, int kind)
{
	if (!is_ordered(s, t, location, kind)) {
		fail(j, ERROR_RACE);
		return false;
	}
	note(s, t, location, kind);
	return true;
}

int place(int block, int field)
{
	return GLOBALS + FIELDS * block + field;
}

/* An access by a pointer; false: it went wrong. */
bool access_block(struct judge *j, struct state *s, int t, int pointer, int field, int kind)
{
	if (pointer == 0) {
		fail(j, ERROR_NULL_POINTER);
		return false;
	}
	if (s->block[pointer - 1] >= FREED) {
		fail(j, ERROR_USE_AFTER_FREE);
		return false;
	}
	return access_place(j, s, t, place(pointer - 1, field), kind);
}

bool give_back(struct judge *j, struct state *s, int t, int block)
{
	for (int f = FIELD_V; f < FIELDS; f++)
		if (!is_ordered(s, t, place(block, f), PLAIN_WRITE)) {
			fail(j, ERROR_USE_AFTER_FREE);
			return false;
		}
	s->block[block] = s->block[block] == LOCAL ? GONE : FREED;
	memset(s->known[place(block, FIELD_V)], 0, FIELDS * sizeof s->known[0]);
	return true;
}

bool free_block(struct judge *j, struct state *s, int t, int pointer)
{
	if (pointer == 0)
		return true;
	if (s->block[pointer - 1] != ALLOCATED) {
		fail(j, s->block[pointer - 1] == FREED ? ERROR_DOUBLE_FREE : ERROR_INVALID_FREE);
		return false;
	}
	return give_back(j, s, t, pointer - 1);
}

void begin_block(struct state *s, int t, int block, int kind)
{
	assert(s->block[block] == NO_BLOCK);
	s->block[block] = (int8_t)kind;
	s->owner[block] = (int8_t)t;
	for (int f = FIELD_V; f < FIELDS; f++)
		note(s, t, place(block, f), PLAIN_WRITE);
}
