/* state_exact.c -- stores states in full. */
#include "explore/state/state_exact.h"

#include <string.h>

#include "base/error.h"
#include "explore/state/state_search.h"

enum {
	VARINT = 10, /* the most bytes of a number */
	PLACE_BITS = 40,
};

#define PLACE_MASK ((UINT64_C(1) << PLACE_BITS) - 1)

void lp_exact_close(struct lp_exact *x)
{
	lp_free(x->at);
	lp_free(x->table);
	*x = (struct lp_exact){ 0 };
}

void lp_exact_clear(struct lp_exact *x)
{
	x->used = 0;
	x->count = 0;
	if (x->table)
		memset(x->table, 0, sizeof *x->table * x->table_room);
}

/* Seven bits a byte, the lowest first; the last byte has its highest bit clear. */
static size_t put_number(uint8_t *to, uint64_t number)
{
	size_t size = 0;

	for (; number > 0x7f; number >>= 7)
		to[size++] = (uint8_t)(number | 0x80);
	to[size++] = (uint8_t)number;
	return size;
}

static size_t take_number(const uint8_t *from, uint64_t *number)
{
	size_t size = 0;

	*number = 0;
	do
		*number |= (uint64_t)(from[size] & 0x7f) << 7 * size;
	while (from[size++] & 0x80);
	LP_HOLDS(size <= VARINT);
	return size;
}

/* Writes the string of the state at `at`, without its length. */
static size_t encode(struct lp_exact *x, const struct lp_state_search *s, const struct lp_snapshot *n,
		     size_t at)
{
	const size_t most = VARINT * (1 + 2 * (size_t)LP_STATE_PROCESSES + 2 * (size_t)n->words);

	if (x->room < at + most) {
		x->room = 2 * x->room + most + VARINT;
		x->at = lp_realloc(x->at, x->room);
	}
	uint8_t *to = x->at + at;
	for (uint32_t i = 0; i < s->options->processes; i++) {
		to += put_number(to, (lp_local)n->w[i]);
		to += put_number(to, n->w[i] >> 32);
	}
	if (s->graph)
		to += put_number(to, n->set);
	for (uint32_t i = 0; i < n->words; i++) {
		const uint64_t value = n->w[LP_STATE_PROCESSES + i];
		if (value == s->a.words.at[i].initial)
			continue;
		to += put_number(to, i);
		to += put_number(to, value);
	}
	LP_HOLDS((size_t)(to - (x->at + at)) <= most);
	return (size_t)(to - (x->at + at));
}

static uint64_t hash_of(const uint8_t *bytes, size_t size)
{
	struct lp_fingerprint print = LP_FINGERPRINT;

	lp_fingerprint_bytes(&print, bytes, size);
	return print.a;
}

/* The table is not a hash_index.h because states are named by their positions, which have 40 bits: there may be more than
 * 2^32 bytes of states. */
static void grow(struct lp_exact *x)
{
	x->table_room = x->table_room ? 2 * x->table_room : 1024;
	lp_free(x->table);
	x->table = lp_alloc_zero(x->table_room, sizeof *x->table);
	for (size_t at = 0; at < x->used;) {
		uint64_t size;
		const size_t begin = at + take_number(x->at + at, &size);
		const uint64_t hash = hash_of(x->at + begin, size);
		uint64_t slot = hash & (x->table_room - 1);
		while (x->table[slot])
			slot = (slot + 1) & (x->table_room - 1);
		x->table[slot] = (hash & ~PLACE_MASK) | (at + 1);
		at = begin + size;
	}
}

static bool is_equal(const struct lp_exact *x, size_t at, const uint8_t *bytes, size_t size)
{
	uint64_t length;
	const size_t begin = at + take_number(x->at + at, &length);

	return length == size && !memcmp(x->at + begin, bytes, size);
}

static struct lp_fingerprint name_at(size_t at)
{
	return (struct lp_fingerprint){ lp_mix(at + 1), at + 1 };
}

struct lp_fingerprint lp_exact_name(struct lp_exact *x, const struct lp_state_search *s,
				    const struct lp_snapshot *n)
{
	if (4 * x->count >= 3 * x->table_room)
		grow(x);
	/* The string is written after room for the length. If the state is new, it is moved
	 * directly behind its length. */
	const size_t draft = x->used + VARINT, size = encode(x, s, n, draft);
	const uint64_t hash = hash_of(x->at + draft, size);
	uint64_t slot = hash & (x->table_room - 1);

	for (; x->table[slot]; slot = (slot + 1) & (x->table_room - 1)) {
		const size_t at = (x->table[slot] & PLACE_MASK) - 1;
		if (!((x->table[slot] ^ hash) & ~PLACE_MASK) && is_equal(x, at, x->at + draft, size))
			return name_at(at);
	}
	LP_HOLDS(x->used < PLACE_MASK - 1 && x->count < x->table_room);
	const size_t at = x->used, begin = at + put_number(x->at + at, size);
	memmove(x->at + begin, x->at + draft, size);
	x->used = begin + size;
	x->table[slot] = (hash & ~PLACE_MASK) | (at + 1);
	x->count++;
	LP_VALID(hash_of(x->at + begin, size) == hash);
	return name_at(at);
}
