/* helping_bytes.c -- writes the facts of helping.h as bytes, and merges those of several machines. */
#include "explore/reduce/helping.h"

#include "base/alloc.h"
#include "base/error.h"
#include "explore/reduce/facts/fact_bytes.h"

enum {
	BROKEN = 1, SC = 2, WEAK = 4, MUCH_FREED = 8, BY_SWAPS = 16, BY_STORES = 32, CROWDED = 64, /* flags of all
	                                                                                            * facts together */
	USED = 1, UNFIT = 2, /* flags of a place, for swaps; times 4: for stores */
	GRANULE_WORDS = LP_HELPING_GRANULES / 64,
	STACK_WORDS = LP_HELPING_STACKS / 64,
};

static unsigned flags_of(const struct lp_helping_facts *f)
{
	return (f->broken ? BROKEN : 0) | (f->sc ? SC : 0) | (f->weak ? WEAK : 0) | (f->much_freed ? MUCH_FREED : 0) |
	       (f->by[LP_BY_SWAPS].relied ? BY_SWAPS : 0) | (f->by[LP_BY_STORES].relied ? BY_STORES : 0) | (f->crowded ? CROWDED : 0);
}

static unsigned place_flags(const struct lp_helping_facts *f, uint32_t place)
{
	unsigned flags = 0;

	for (enum lp_helping by = LP_BY_SWAPS; by <= LP_BY_STORES; by++)
		flags |= ((f->by[by].used[place] ? USED : 0) | (f->by[by].unfit[place] ? UNFIT : 0)) << 2 * by;
	return flags;
}

void lp_helping_write(const struct lp_helping_facts *f, struct lp_bytes *to)
{
	const uint8_t flags = (uint8_t)flags_of(f);
	const uint64_t end = 0;

	lp_bytes_put(to, &flags, sizeof flags);
	for (uint32_t i = 0; i < LP_HELPING_LOCATIONS; i++) {
		const uint64_t address = f->address[i];
		const uint8_t there = (uint8_t)place_flags(f, i);
		if (!address || !there)
			continue;
		lp_bytes_put(to, &address, sizeof address);
		lp_bytes_put(to, &there, sizeof there);
	}
	lp_bytes_put(to, &end, sizeof end);
	lp_fact_words_write(f->used, GRANULE_WORDS, to);
	lp_fact_words_write(f->freed, GRANULE_WORDS, to);
	lp_fact_words_write(f->own_stacks, STACK_WORDS, to);
	lp_fact_words_write(f->shared_stacks, STACK_WORDS, to);
}

static void set_if(atomic_bool *fact, bool now)
{
	if (now)
		atomic_store(fact, true);
}

static void merge_place(struct lp_helping_facts *f, uint64_t address, unsigned flags)
{
	const uint32_t place = lp_helping_place(f, (uintptr_t)address);

	LP_HOLDS(place < LP_HELPING_LOCATIONS);
	for (enum lp_helping by = LP_BY_SWAPS; by <= LP_BY_STORES; by++) {
		const unsigned theirs = flags >> 2 * by;
		set_if(&f->by[by].used[place], theirs & USED);
		set_if(&f->by[by].unfit[place], theirs & UNFIT);
		set_if(&f->broken, f->by[by].used[place] && f->by[by].unfit[place]);
	}
}

static bool merge_places(struct lp_helping_facts *f, struct lp_cursor *from)
{
	for (uint64_t address; (address = lp_cursor_u64(from)) && !from->bad;) {
		uint8_t flags;
		if (lp_cursor_get(from, &flags, sizeof flags))
			merge_place(f, address, flags);
	}
	return !from->bad;
}

/* Is condition 7 false? If the model allows any orders, the exploration does not rely on it. */
static bool orders_are_wrong(const struct lp_helping_facts *f)
{
	return !f->any_orders && f->sc && (f->by[LP_BY_STORES].relied || (f->by[LP_BY_SWAPS].relied && f->weak));
}

static void merge_flags(struct lp_helping_facts *f, unsigned theirs)
{
	const unsigned ours = flags_of(f), any = BY_SWAPS | BY_STORES;

	set_if(&f->sc, theirs & SC);
	set_if(&f->weak, theirs & WEAK);
	set_if(&f->much_freed, theirs & MUCH_FREED);
	set_if(&f->by[LP_BY_SWAPS].relied, theirs & BY_SWAPS);
	set_if(&f->by[LP_BY_STORES].relied, theirs & BY_STORES);
	set_if(&f->crowded, theirs & CROWDED);
	/* If locations share places, it is not known to which of them a fact belongs. */
	set_if(&f->broken, theirs & BROKEN || f->crowded || orders_are_wrong(f) ||
			   (ours & any && !(ours & MUCH_FREED) && theirs & MUCH_FREED) ||
			   (theirs & any && !(theirs & MUCH_FREED) && ours & MUCH_FREED));
	LP_HOLDS(!((ours | theirs) & ~flags_of(f))); /* nothing that was seen is forgotten */
}

static bool merge_words(struct lp_helping_facts *f, struct lp_cursor *from)
{
	uint64_t *words = lp_alloc(sizeof *words * 2 * (GRANULE_WORDS + STACK_WORDS));
	uint64_t *used = words, *freed = used + GRANULE_WORDS, *own = freed + GRANULE_WORDS, *shared_stacks = own + STACK_WORDS;
	const bool good = lp_fact_words_read(from, used, GRANULE_WORDS) && lp_fact_words_read(from, freed, GRANULE_WORDS) &&
			  lp_fact_words_read(from, own, STACK_WORDS) && lp_fact_words_read(from, shared_stacks, STACK_WORDS);

	if (good) {
		set_if(&f->broken, lp_fact_words_unite(f->used, f->freed, used, freed, GRANULE_WORDS));
		set_if(&f->broken, lp_fact_words_unite(f->own_stacks, f->shared_stacks, own, shared_stacks, STACK_WORDS));
	}
	lp_free(words);
	return good;
}

bool lp_helping_merge(struct lp_helping_facts *f, struct lp_cursor *from)
{
	uint8_t flags;

	from->bad |= !lp_cursor_get(from, &flags, sizeof flags) || flags >= 2 * CROWDED;
	if (from->bad)
		return false;
	merge_flags(f, flags);
	return merge_places(f, from) && merge_words(f, from);
}
