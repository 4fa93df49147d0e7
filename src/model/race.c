/* race.c -- the accesses that can still be one half of a data race.
 *
 * After Flanagan and Freund, "FastTrack", PLDI 2009.  FastTrack keeps one write and the reads of
 * each variable.  We keep a short list of records for each granule of 8 bytes; a record is an access
 * with the bytes of the granule that it touched.  So sizes and alignments may mix, plain and atomic
 * accesses are treated alike, and granules are never split or joined: two ints in one granule are
 * two records with disjoint bytes.
 *
 * An access has a class of two bits, `plain` and `write`.  Two accesses of the same
 * byte conflict iff one of them is plain and one of them (perhaps the same) writes:
 *
 *     conflict(a, b)  iff  class(a) | class(b) == plain|write
 *
 * Write a < b for "a happens before b".  An access `now` is compared with the records, and races
 * with each record r that conflicts with it and for which r < now does not hold. (now < r is
 * impossible, since accesses are passed in an order that extends <.) Then `now` is recorded.  Two
 * optimisations keep the lists short, both per byte:
 *
 * Dropping.  A record r is dropped when r < now and class(r) is a subset of
 * class(now).  Let x be a later access that races with r: conflict(r, x), not r < x.
 * Then conflict(now, x), as class(now) has all the bits of class(r); and now < x does not hold,
 * since otherwise r < now < x.  So x races with `now` too, and is found.  By classes:
 *
 *     now            drops, of the records r < now,
 *     plain write    anything
 *     plain read     a plain read, an atomic read
 *     atomic write   an atomic write, an atomic read
 *     atomic read    an atomic read
 *
 * No other record may be dropped.  A plain read must not drop an atomic write before it: a later
 * plain read of a third thread would race only with the atomic write.  An atomic write must not drop
 * a plain read before it: a later atomic write would race only with the plain read.
 *
 * Same epoch.  `now` is neither compared nor recorded when there is a record r of
 * the same thread t and epoch k that covers all its bytes, with class(now) a subset of
 * class(r).  It need not be recorded: a later access x happens after r iff its clock has c[t] > k,
 * and the same holds for `now`; so an access that races with `now` also races with r.  It need not
 * be compared: suppose that a record e races with `now`.  Then conflict(r, e), since class(r) has
 * all the bits of class(now).  If e was passed before r, then e < r does not hold, since otherwise e
 * < r < now; so the race between e and r was reported.  If e was passed after r, then r < e does not
 * hold either: otherwise the event k of t would be in the past of e, and so would `now`, which is
 * that event or precedes it, and `now` would have been passed before e.  So this race was reported,
 * too.
 *
 * So the answers are exact up to the first race.  After it, the second optimisation may suppress a
 * race with the same cause as one that was reported.
 *
 * Allocation.  A new block has a single record, a write by the thread that allocated it.  Every
 * access to the block must happen after this write.  A page that belongs entirely to one block has
 * this record in an extra cell, behind the cells of its granules.  The record stays until the memory
 * is allocated again.
 *
 * Shadow memory has a page for every 4 KB of memory that was accessed, and in the page a cell of
 * one cache line for every granule.  A cell has a link to another cell if three records are not
 * enough.  Pages and cells are never moved or freed before close(), so a change can be undone by
 * address: the log has the address of the slot and its old contents.  A list ends at the first empty
 * slot, and has no holes.  Links to further cells are not logged, because an empty cell at the end
 * of a list has no meaning.  So rewinding restores the exact order of the records, and with it which
 * of several races is reported.
 */
#include "model/race.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vec.h"

/*  63          32   31    30  29       10   9     8   7        0
 * |    epoch     |fresh|freed|  thread  |write|plain|  bytes   |    0: an empty slot
 */
#define BYTES UINT64_C(0xff)
#define PLAIN (UINT64_C(1) << PLAIN_SHIFT)
#define WRITE (UINT64_C(1) << WRITE_SHIFT)
#define CLASS (PLAIN | WRITE)
#define FRESH (UINT64_C(1) << FRESH_SHIFT) /* the write is the allocation; only for reports */
#define FREED (UINT64_C(1) << FREED_SHIFT) /* the write is the free; only for reports */

enum {
	PLAIN_SHIFT = 8,
	WRITE_SHIFT = 9,
	THREAD_SHIFT = 10,
	THREAD_BITS = 20,
	FREED_SHIFT = 30,
	FRESH_SHIFT = 31,
	EPOCH_SHIFT = 32,
	GRANULE = 8,
	PAGE_SHIFT = 12,
	PAGE_CELLS = (1 << PAGE_SHIFT) / GRANULE,
	CELL_RECORDS = 3,
	CELL_SIZE = 64,
	SLAB_CELLS = 16 * 1024,
};

struct record {
	uint64_t word;
	uintptr_t pc;
};

struct cell {
	_Alignas(CELL_SIZE) struct record at[CELL_RECORDS];
	struct cell *more; /* the cell in which the list continues, or NULL */
};

_Static_assert(sizeof(struct cell) == CELL_SIZE, "a cell is a cache line");

struct change {
	struct record *slot;
	struct record old;
};

struct page {
	uintptr_t number; /* address >> PAGE_SHIFT */
	struct cell *cells; /* NULL: a free place of the table */
};

/* A number that no page has. */
#define NO_PAGE UINTPTR_MAX

struct lp_race {
	struct page last; /* the page that was asked for last */
	bool large;       /* some page belongs entirely to one block */

	/* Open addressing, at most half full.  Every plain access may search it: with a hash_index.h beside the pages it would
	 * touch two cache lines instead of one. */
	struct page *pages;
	uint32_t page_count;
	uint32_t page_bits; /* 1 << page_bits places */

	struct change *log;
	size_t log_count, log_room;

	struct cell *fresh; /* zeroed cells, handed out from here */
	size_t fresh_count;
	struct {
		LP_VEC(void *);
	} slabs;
};

/* The last one that was closed, without records.  Thousands of explorations may follow each other, most of them of a single
 * execution (verify/passes_on.h); the page faults of fresh shadow memory would take most of their time. */
static struct lp_race *kept;

struct lp_race *lp_race_open(void)
{
	struct lp_race *r = kept;

	kept = NULL;
	if (r)
		return r;
	r = lp_alloc_zero(1, sizeof *r);
	r->last.number = NO_PAGE;
	r->page_bits = 6;
	r->pages = lp_alloc_zero((size_t)1 << r->page_bits, sizeof *r->pages);
	return r;
}

void lp_race_close(struct lp_race *r)
{
	if (!r)
		return;
	if (!kept && r->slabs.count <= 1) {
		lp_race_rewind(r, 0);
		r->large = false;
		kept = r;
		return;
	}
	for (uint32_t i = 0; i < r->slabs.count; i++)
		lp_free_pages(r->slabs.at[i], SLAB_CELLS * CELL_SIZE);
	lp_free(r->slabs.at);
	lp_free(r->pages);
	lp_free(r->log);
	lp_free(r);
}

/* Parts of a page's shadow that are never touched take no memory. */
static struct cell *new_cells(struct lp_race *r, size_t count)
{
	if (r->fresh_count < count) {
		LP_HOLDS(count <= SLAB_CELLS);
		LP_PUSH(&r->slabs, lp_alloc_pages(SLAB_CELLS * CELL_SIZE));
		r->fresh = LP_LAST(&r->slabs);
		r->fresh_count = SLAB_CELLS;
	}
	struct cell *cells = r->fresh;
	r->fresh += count;
	r->fresh_count -= count;
	return cells;
}

/* The place of the page in the table, or the free place where it would go. */
static struct page *page_place(const struct lp_race *r, uintptr_t number)
{
	const size_t mask = ((size_t)1 << r->page_bits) - 1;
	size_t i = (size_t)((uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) >>
			    (64 - r->page_bits));

	LP_HOLDS(2 * (size_t)r->page_count <= mask + 1); /* or a search might not end */
	while (r->pages[i].cells && r->pages[i].number != number)
		i = (i + 1) & mask;
	return &r->pages[i];
}

static void grow_pages(struct lp_race *r)
{
	struct page *old = r->pages;
	const size_t room = (size_t)1 << r->page_bits++;

	r->pages = lp_alloc_zero(2 * room, sizeof *r->pages);
	for (size_t i = 0; i < room; i++)
		if (old[i].cells)
			*page_place(r, old[i].number) = old[i];
	lp_free(old);
}

static struct cell *add_page(struct lp_race *r, uintptr_t number)
{
	if (2 * (r->page_count + 1) > (uint32_t)1 << r->page_bits)
		grow_pages(r);
	r->page_count++;

	/* One cell more, for the record of the whole page.  It also makes the same offset of
	 * different pages use different cache lines, which matters because the heaps of threads
	 * look alike. */
	struct cell *cells = new_cells(r, PAGE_CELLS + 1);
	*page_place(r, number) = (struct page){ number, cells };
	return cells;
}

static inline struct cell *page_cells(struct lp_race *r, uintptr_t number)
{
	if (__builtin_expect(r->last.number == number, 1))
		return r->last.cells;

	struct cell *cells = page_place(r, number)->cells;
	if (!cells)
		cells = add_page(r, number);
	r->last = (struct page){ number, cells };
	return cells;
}

static void grow_log(struct lp_race *r)
{
	r->log_room = r->log_room * 2 + 1024;
	r->log = lp_realloc(r->log, r->log_room * sizeof *r->log);
}

static inline void put(struct lp_race *r, struct record *slot, struct record new)
{
	if (__builtin_expect(r->log_count == r->log_room, 0))
		grow_log(r);
	r->log[r->log_count++] = (struct change){ slot, *slot };
	*slot = new;
}

/* Removes the record at c->at[i]; the last record of the list fills its place. */
static void take_away(struct lp_race *r, struct cell *c, unsigned i)
{
	struct record *gone = &c->at[i], *last = gone;

	LP_HOLDS(gone->word); /* records come first, then free places */
	for (;;) {
		if (++i == CELL_RECORDS) {
			c = c->more;
			i = 0;
		}
		if (!c || !c->at[i].word)
			break;
		last = &c->at[i];
	}
	if (last != gone)
		put(r, gone, *last);
	put(r, last, (struct record){ 0, 0 });
}

static inline uint32_t thread_of(uint64_t word)
{
	return (uint32_t)(word >> THREAD_SHIFT) & ((UINT32_C(1) << THREAD_BITS) - 1);
}

static inline uint32_t epoch_of(uint64_t word)
{
	return (uint32_t)(word >> EPOCH_SHIFT);
}

/* The bytes of a granule, `size` of them from `offset` on. */
static inline uint64_t byte_set(size_t offset, size_t size)
{
	LP_HOLDS(size && offset + size <= GRANULE);
	return BYTES >> (GRANULE - size) << offset;
}

/* Does the record `word` have the same thread and epoch as `now`, and all its bytes and class bits? */
static inline bool covers(uint64_t word, uint64_t now)
{
	return !((word ^ now) & ~(word & (BYTES | CLASS)));
}

/* An access that is compared with several cells: everything about it except its bytes. */
struct visit {
	struct record now;
	struct lp_race_past past;
	bool raced;
	struct lp_race_access *earlier; /* filled in at the first race */
};

static inline bool is_ordered(const struct visit *v, uint64_t word)
{
	const uint32_t t = thread_of(word);

	return t == thread_of(v->now.word) ||
	       (t < v->past.width && v->past.clock[t] > epoch_of(word));
}

static void tell_race(struct visit *v, const struct record *with)
{
	if (v->raced)
		return;
	LP_HOLDS(thread_of(with->word) != thread_of(v->now.word));
	v->raced = true;
	*v->earlier = (struct lp_race_access){
		.thread = thread_of(with->word),
		.epoch = epoch_of(with->word),
		.pc = with->pc,
		.write = with->word & WRITE,
		.atomic = !(with->word & PLAIN),
		.fresh = with->word & FRESH,
		.freed = with->word & FREED,
	};
}

/* Is the list without holes, so that no record follows an empty slot, and has each record at least
 * one byte? */
static bool has_no_holes(const struct cell *c)
{
	for (bool ended = false; c; c = c->more) {
		for (unsigned i = 0; i < CELL_RECORDS; i++) {
			if ((ended && c->at[i].word) || (c->at[i].word && !(c->at[i].word & BYTES)))
				return false;
			ended |= !c->at[i].word;
		}
	}
	return true;
}
/* Compares the access with the cell's records, and records it; `bytes` are those
 * that it touches.  The first record to be dropped is overwritten with the new one, so that a usual
 * access changes one slot. */
static inline void visit_cell(struct lp_race *r, struct cell *c, struct visit *v,
			      uint64_t bytes)
{
	struct record now = { v->now.word | bytes, v->now.pc };
	LP_HOLDS(bytes && !(bytes & ~BYTES) && !(v->now.word & BYTES));
	struct record *place = NULL;
	uint64_t joined = 0; /* bytes of the record at `place`, which the new record keeps */
	unsigned i = 0;

	while (c->at[i].word) {
		struct record *const s = &c->at[i];
		const uint64_t w = s->word;

		if (covers(w, now.word))
			return;

		if (!place && !((w ^ now.word) & ~BYTES) && s->pc == now.pc) {
			/* The same instruction accesses other bytes, perhaps in a loop. */
			place = s;
			joined = w & BYTES;
		} else if (!(w & bytes)) {
			; /* no byte in common */
		} else if (!is_ordered(v, w)) {
			if (((w | now.word) & CLASS) == CLASS)
				tell_race(v, s);
		} else if (!(w & ~now.word & CLASS)) {
			if (w & ~bytes & BYTES) {
				put(r, s, (struct record){ w & ~bytes, s->pc });
			} else if (!place) {
				place = s;
			} else {
				take_away(r, c, i);
				continue; /* another record has taken its place, and is compared
				           * next */
			}
		}

		if (++i == CELL_RECORDS) {
			if (!c->more) {
				if (place)
					break;
				c->more = new_cells(r, 1);
			}
			c = c->more;
			i = 0;
		}
	}
	now.word |= joined;
	put(r, place ? place : &c->at[i], now);
}

/* Does the same with the record of the whole page. */
static void visit_page(const struct record *all, struct visit *v)
{
	if (all->word && !is_ordered(v, all->word))
		tell_race(v, all);
}

static inline uint64_t word_of(const struct lp_race_access *access)
{
	if (__builtin_expect(access->thread >> THREAD_BITS, 0))
		LP_BUG("thread %u is too much for the race detector", access->thread);
	LP_HOLDS(access->write || !(access->fresh || access->freed));
	return (uint64_t)access->epoch << EPOCH_SHIFT |
	       (uint64_t)access->fresh << FRESH_SHIFT |
	       (uint64_t)access->freed << FREED_SHIFT |
	       (uint64_t)access->thread << THREAD_SHIFT |
	       (uint64_t)access->write << WRITE_SHIFT |
	       (uint64_t)!access->atomic << PLAIN_SHIFT;
}

bool lp_race_access(struct lp_race *r, const struct lp_race_access *access, uintptr_t loc, size_t size,
		    struct lp_race_past past, struct lp_race_access *earlier)
{
	const uint64_t word = word_of(access);

	/* By far the most frequent case, ahead of all preparations. */
	if (size <= GRANULE - loc % GRANULE && r->last.number == loc >> PAGE_SHIFT &&
	    covers(r->last.cells[loc / GRANULE % PAGE_CELLS].at[0].word,
		   word | byte_set(loc % GRANULE, size)))
		return false;

	struct visit v = {
		.now = { word, access->pc },
		.past = past,
		.earlier = earlier,
	};

	while (size) {
		const size_t offset = loc % GRANULE;
		const size_t here = size < GRANULE - offset ? size : GRANULE - offset;
		struct cell *cells = page_cells(r, loc >> PAGE_SHIFT);

		LP_VALID(has_no_holes(&cells[loc / GRANULE % PAGE_CELLS]));
		visit_cell(r, &cells[loc / GRANULE % PAGE_CELLS], &v,
			   byte_set(offset, here));
		if (__builtin_expect(r->large, 0))
			visit_page(&cells[PAGE_CELLS].at[0], &v);
		loc += here;
		size -= here;
	}
	return v.raced;
}

/* Is there a record of these bytes for which concerns() is true? */
static inline __attribute__((always_inline)) bool
is_recorded(const struct lp_race *r, uintptr_t loc, size_t size,
	    bool (*concerns)(uint64_t word, uint32_t thread, uint32_t early), uint32_t thread, uint32_t early)
{
	for (size_t here; size; loc += here, size -= here) {
		const size_t offset = loc % GRANULE;
		const uintptr_t number = loc >> PAGE_SHIFT;
		const struct cell *cells =
			r->last.number == number ? r->last.cells : page_place(r, number)->cells;

		here = size < GRANULE - offset ? size : GRANULE - offset;
		if (!cells)
			continue;
		const uint64_t bytes = byte_set(offset, here), all = cells[PAGE_CELLS].at[0].word;
		if (all && concerns(all, thread, early))
			return true;
		const struct cell *c = &cells[loc / GRANULE % PAGE_CELLS];
		for (unsigned i = 0; c && c->at[i].word;) {
			if (c->at[i].word & bytes && concerns(c->at[i].word, thread, early))
				return true;
			if (++i == CELL_RECORDS) {
				c = c->more;
				i = 0;
			}
		}
	}
	return false;
}

static inline bool is_anothers_write(uint64_t word, uint32_t thread, uint32_t unused)
{
	(void)unused;
	return word & WRITE && thread_of(word) != thread;
}

bool lp_race_is_alone(const struct lp_race *r, uint32_t thread, uintptr_t loc, size_t size)
{
	return !is_recorded(r, loc, size, is_anothers_write, thread, 0);
}

static inline bool is_touched_by(uint64_t word, uint32_t thread, uint32_t early)
{
	const uint32_t t = thread_of(word);

	return !(word & FRESH && t == thread) && !(t == 0 && epoch_of(word) <= early);
}

bool lp_race_is_untouched(const struct lp_race *r, uint32_t thread, uint32_t early, uintptr_t loc,
			  size_t size)
{
	return !is_recorded(r, loc, size, is_touched_by, thread, early);
}

static void forget_bytes(struct lp_race *r, struct cell *c, uint64_t bytes)
{
	for (unsigned i = 0; c && c->at[i].word;) {
		struct record *s = &c->at[i];

		if (!(s->word & BYTES & ~bytes)) {
			take_away(r, c, i);
			continue;
		}
		if (s->word & bytes)
			put(r, s, (struct record){ s->word & ~bytes, s->pc });
		if (++i == CELL_RECORDS) {
			c = c->more;
			i = 0;
		}
	}
}

/* Forgets all records of these bytes of a page, and records the allocation. */
static void begin_bytes(struct lp_race *r, struct cell *cells, uintptr_t loc, size_t size,
			struct record now)
{
	for (size_t here; size; loc += here, size -= here) {
		const size_t offset = loc % GRANULE;
		struct cell *c = &cells[loc / GRANULE % PAGE_CELLS];

		here = size < GRANULE - offset ? size : GRANULE - offset;
		forget_bytes(r, c, byte_set(offset, here));
		unsigned i = 0;
		while (c->at[i].word) {
			if (++i < CELL_RECORDS)
				continue;
			if (!c->more)
				c->more = new_cells(r, 1);
			c = c->more;
			i = 0;
		}
		put(r, &c->at[i], (struct record){ now.word | byte_set(offset, here), now.pc });
		LP_VALID(has_no_holes(&cells[loc / GRANULE % PAGE_CELLS]));
	}
}

static void begin_page(struct lp_race *r, struct cell *cells, struct record now)
{
	LP_HOLDS(now.word & FRESH && !(now.word & BYTES));
	for (unsigned i = 0; i < PAGE_CELLS; i++)
		forget_bytes(r, &cells[i], BYTES);
	put(r, &cells[PAGE_CELLS].at[0], now);
	r->large = true;
}

void lp_race_allocated(struct lp_race *r, const struct lp_race_access *access, uintptr_t loc,
		       size_t size)
{
	LP_HOLDS(access->write && access->fresh && !access->freed);
	const size_t page_size = (size_t)1 << PAGE_SHIFT;
	const struct record now = { word_of(access), access->pc };

	while (size) {
		const size_t rest = page_size - loc % page_size;
		const size_t in_page = size < rest ? size : rest;
		struct cell *cells = page_cells(r, loc >> PAGE_SHIFT);

		if (in_page == page_size)
			begin_page(r, cells, now);
		else
			begin_bytes(r, cells, loc, in_page, now);
		loc += in_page;
		size -= in_page;
	}
}

size_t lp_race_mark(const struct lp_race *r)
{
	return r->log_count;
}

void lp_race_rewind(struct lp_race *r, size_t mark)
{
	assert(mark <= r->log_count);
	for (size_t i = r->log_count; i > mark; i--)
		*r->log[i - 1].slot = r->log[i - 1].old;
	r->log_count = mark;
}
