/* watch_bytes.c -- writes the facts of a pass as bytes, and merges those of several machines. */
#include "explore/restarts.h"

#include "base/error.h"
#include "explore/reduce/facts/answers.h"
#include "explore/reduce/facts/fact_bytes.h"
#include "explore/reduce/omitted_races.h"
#include "ranks/bytes.h"

/* The beginning of the bytes: which facts follow, and the facts that fit into a few bits. */
struct header {
	uint32_t watched;
	uint8_t answers, omitted; /* 0: no */
	uint8_t told_apart, recognised;
	uint8_t met, forwarded, misordered;
	uint64_t address;
	uint32_t size;
};

enum { TOLD = LP_TOLD_APART / 64 };

/* What the program was seen to do with threads. */
static void write_told(const struct lp_like_facts *f, struct lp_bytes *to)
{
	lp_fact_words_write(f->differs, TOLD, to);
	lp_fact_words_write(f->returned, TOLD, to);
	lp_fact_words_write(f->asked, TOLD, to);
}

static bool merge_told(struct lp_like_facts *f, struct lp_cursor *from)
{
	_Atomic uint64_t *const sets[] = { f->differs, f->returned, f->asked };
	uint64_t words[TOLD];

	for (uint32_t s = 0; s < sizeof sets / sizeof *sets && lp_fact_words_read(from, words, TOLD); s++)
		for (uint32_t i = 0; i < TOLD; i++)
			atomic_fetch_or(&sets[s][i], words[i]);
	return !from->bad;
}

static bool is_range(uint64_t address, uint32_t size)
{
	return size >= 2 && size <= 16 && !(size & (size - 1)) && !(address % size);
}

static bool is_header(const struct lp_watch *w, const struct header *h)
{
	return h->watched == w->watched && h->answers == (w->answers != NULL) && h->omitted == (w->omitted != NULL) &&
	       (!h->met || is_range(h->address, h->size));
}

void lp_watch_write(const struct lp_watch *w, struct lp_bytes *to)
{
	struct header h;

	memset(&h, 0, sizeof h);
	h.watched = w->watched;
	h.answers = w->answers != NULL;
	h.omitted = w->omitted != NULL;
	h.told_apart = w->like.told_apart;
	h.recognised = w->like.recognised;
	h.met = w->parts.told;
	h.forwarded = w->parts.forwarded;
	h.misordered = w->parts.misordered;
	if (h.met) {
		h.address = w->parts.range.address;
		h.size = w->parts.range.size;
	}
	LP_HOLDS(is_header(w, &h)); /* lp_watch_merge() takes it */
	lp_bytes_put(to, &h, sizeof h);
	write_told(&w->like, to);
	lp_helping_write(&w->helping, to);
	if (h.answers)
		lp_answers_write(w->answers, to);
	if (h.omitted)
		lp_omitted_facts_write(w->omitted, to);
}

/* Of two locations that are accessed in parts the lower one is kept: so it is the same whatever is put together first.  The other one is met again. */
static void merge_range(struct lp_parts_facts *p, struct lp_range r)
{
	if (!atomic_exchange(&p->met, true)) {
		p->range = r;
		atomic_store(&p->told, true);
	} else if (p->told && (r.address < p->range.address || (r.address == p->range.address && r.size < p->range.size))) {
		p->range = r;
	}
}

static void set_if(atomic_bool *fact, bool now)
{
	if (now)
		atomic_store(fact, true);
}

bool lp_watch_merge(struct lp_watch *w, const uint8_t *bytes, size_t size)
{
	struct lp_cursor from = { bytes, size, false };
	struct header h;

	if (!lp_cursor_get(&from, &h, sizeof h) || !is_header(w, &h) || !merge_told(&w->like, &from) || !lp_helping_merge(&w->helping, &from) ||
	    (h.answers && !lp_answers_merge(w->answers, &from)) || (h.omitted && !lp_omitted_facts_merge(w->omitted, &from)) || from.left)
		return false;
	set_if(&w->like.told_apart, h.told_apart);
	set_if(&w->like.recognised, h.recognised);
	set_if(&w->parts.forwarded, h.forwarded);
	set_if(&w->parts.misordered, h.misordered);
	if (h.met)
		merge_range(&w->parts, (struct lp_range){ (uintptr_t)h.address, h.size });
	return true;
}

bool lp_watch_begin_with(struct lp_watch *w, const uint8_t *bytes, size_t size)
{
	const bool good = lp_watch_merge(w, bytes, size);

	if (w->answers)
		lp_answers_begin(w->answers);
	return good;
}
