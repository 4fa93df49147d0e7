/* answers_bytes.c -- writes the facts of answers.h as bytes, and merges those of several machines. */
#include "explore/reduce/facts/answers.h"

#include <string.h>

#include "base/error.h"
#include "explore/reduce/facts/answers_table.h"
#include "ranks/bytes.h"

/* A place as bytes, without its slots, which follow. */
struct portable {
	uint64_t address;
	uint32_t facts, facts_relied, writers, writers_relied;
	uint32_t slots;
	uint8_t crowded;
};

struct portable_slot {
	struct lp_value value;
	uint64_t way;
	uint8_t swapped, way_relied; /* 0: no */
};

struct portable_answers {
	uint32_t restarts, threads, places;
	uint8_t broken, full, threads_relied;
};

static void write_place(const struct lp_answers_place *p, uintptr_t address, struct lp_bytes *to)
{
	struct portable h;
	const uint32_t at = to->count;

	memset(&h, 0, sizeof h);
	h.address = address;
	h.facts = p->facts.seen;
	h.facts_relied = p->facts.relied;
	h.writers = p->writers.seen;
	h.writers_relied = p->writers.relied;
	h.crowded = p->crowded;
	lp_bytes_put(to, &h, sizeof h);
	for (uint32_t i = 0; i < LP_ANSWERS_SLOTS; i++) {
		struct portable_slot s;
		if (atomic_load(&p->slot[i].state) != LP_SLOT_FULL)
			continue;
		memset(&s, 0, sizeof s);
		s.value = p->slot[i].value;
		s.way = p->slot[i].way;
		s.swapped = p->slot[i].swapped;
		s.way_relied = p->slot[i].way_relied;
		lp_bytes_put(to, &s, sizeof s);
		h.slots++;
	}
	memcpy(to->at + at, &h, sizeof h);
}

void lp_answers_write(const struct lp_answers *a, struct lp_bytes *to)
{
	struct portable_answers h;
	const uint32_t at = to->count;

	memset(&h, 0, sizeof h);
	h.restarts = a->restarts;
	h.threads = a->threads;
	h.broken = lp_answers_is_broken(a); /* that of `undone`, too */
	h.full = a->full;
	h.threads_relied = a->threads_relied;
	lp_bytes_put(to, &h, sizeof h);
	for (uint32_t i = 0; i < LP_ANSWERS_PLACES; i++) {
		const uintptr_t address = a->index[i].address;
		const uint32_t number = address ? atomic_load(&a->index[i].number) : 0;
		if (!number)
			continue;
		write_place(&a->place[number - 1], address, to);
		h.places++;
	}
	memcpy(to->at + at, &h, sizeof h);
	lp_undone_pairs_write(&a->undone, to);
	lp_undone_pairs_write(&a->shifts, to);
}

static const struct portable_slot *find_slot(const struct portable_slot *slots, uint32_t count, struct lp_value value)
{
	for (uint32_t i = 0; i < count; i++)
		if (lp_value_equal(slots[i].value, value))
			return &slots[i];
	return NULL;
}

/* Does this machine know a value, or a way to write it, that the other machine does not know? */
static bool has_news(const struct lp_answers_place *p, const struct portable *h, const struct portable_slot *slots)
{
	bool news = p->crowded && !h->crowded;

	for (uint32_t i = 0; i < LP_ANSWERS_SLOTS; i++) {
		const struct portable_slot *s;
		if (atomic_load(&p->slot[i].state) != LP_SLOT_FULL)
			continue;
		s = find_slot(slots, h->slots, p->slot[i].value);
		news |= !s || (p->slot[i].swapped && !s->swapped);
	}
	return news;
}

/* For a value without a slot, ways are not recorded. Is there such a value? Then another machine must not rely
 * on there being only one way. */
static bool misses_ways(const struct lp_answers_place *p, const struct portable *h, const struct portable_slot *slots)
{
	bool missed = false;

	for (uint32_t i = 0; h->crowded && i < LP_ANSWERS_SLOTS; i++)
		missed |= p->slot[i].state == LP_SLOT_FULL && p->slot[i].way_relied && !find_slot(slots, h->slots, p->slot[i].value);
	for (uint32_t i = 0; p->crowded && i < h->slots; i++)
		missed |= slots[i].way_relied && lp_answers_slot(p, slots[i].value) == LP_ANSWERS_SLOTS;
	return missed;
}

static void merge_way(struct lp_answers *a, struct lp_answers_place *p, const struct portable_slot *s)
{
	const uint32_t i = lp_answers_slot(p, s->value);
	uint64_t before = 0;

	if (i == LP_ANSWERS_SLOTS)
		return;
	if (s->way_relied)
		atomic_store(&p->slot[i].way_relied, true);
	if (s->way && !atomic_compare_exchange_strong(&p->slot[i].way, &before, s->way) && before != s->way)
		atomic_store(&p->slot[i].way, LP_ANSWERS_MANY);
	if (atomic_load(&p->slot[i].way) == LP_ANSWERS_MANY && atomic_load(&p->slot[i].way_relied))
		atomic_store(&a->broken, true);
}

static void merge_seen(struct lp_answers *a, struct lp_answers_seen *s, uint32_t seen, uint32_t relied)
{
	lp_answers_see(a, s, seen);
	atomic_fetch_or(&s->relied, relied);
	if (atomic_load(&s->relied) & atomic_load(&s->seen))
		atomic_store(&a->broken, true);
}

static void merge_place(struct lp_answers *a, struct lp_answers_place *p, const struct portable *h, const struct portable_slot *slots)
{
	LP_HOLDS(h->slots <= LP_ANSWERS_SLOTS);
	if ((h->facts_relied & LP_ANSWERS_NEW_VALUE && has_news(p, h, slots)) || misses_ways(p, h, slots))
		atomic_store(&a->broken, true);
	for (uint32_t i = 0; i < h->slots; i++) {
		lp_answers_see_value(a, p, slots[i].value, slots[i].swapped);
		merge_way(a, p, &slots[i]);
	}
	if (h->crowded && !atomic_exchange(&p->crowded, true) && p->facts.relied & LP_ANSWERS_NEW_VALUE)
		atomic_store(&a->broken, true);
	merge_seen(a, &p->facts, h->facts, h->facts_relied);
	merge_seen(a, &p->writers, h->writers, h->writers_relied);
}

static void merge_threads(struct lp_answers *a, const struct portable_answers *h)
{
	const uint32_t most = a->threads;

	if ((h->threads_relied && most > h->threads) || (a->threads_relied && h->threads > most))
		atomic_store(&a->broken, true);
	if (h->threads > most)
		atomic_store(&a->threads, h->threads);
	if (h->threads_relied)
		atomic_store(&a->threads_relied, true);
}

/* A location has a place on only one machine, so it is not known what the other one has seen: the
 * exploration no longer relies on facts. */
static void stop_relying(struct lp_answers *a)
{
	if (a->restarts >= LP_ANSWERS_RESTARTS)
		return;
	a->restarts = LP_ANSWERS_RESTARTS;
	atomic_store(&a->broken, true);
}

/* If a fact that was relied on is false on the other machine, its `broken` has been merged. */
void lp_answers_begin(struct lp_answers *a)
{
	atomic_store(&a->undone.broken, false);
}

bool lp_answers_merge(struct lp_answers *a, struct lp_cursor *from)
{
	struct portable_answers h;
	struct portable_slot slots[LP_ANSWERS_SLOTS];

	lp_cursor_get(from, &h, sizeof h);
	for (uint32_t i = 0; i < h.places && !from->bad; i++) {
		struct portable place;
		lp_cursor_get(from, &place, sizeof place);
		from->bad |= place.slots > LP_ANSWERS_SLOTS || !place.address;
		if (from->bad || !lp_cursor_get(from, slots, sizeof *slots * place.slots))
			break;
		struct lp_answers_place *p = lp_answers_place(a, (uintptr_t)place.address);
		if (p)
			merge_place(a, p, &place, slots);
	}
	if (from->bad || !lp_undone_pairs_merge(&a->undone, from) || !lp_undone_pairs_merge(&a->shifts, from))
		return false;
	merge_threads(a, &h);
	LP_HOLDS(a->threads >= h.threads);
	if (h.restarts > a->restarts)
		a->restarts = h.restarts;
	if (h.full)
		atomic_store(&a->full, true);
	if (a->full)
		stop_relying(a);
	if (h.broken)
		atomic_store(&a->broken, true);
	return true;
}
