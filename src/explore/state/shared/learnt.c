/* learnt.c -- keeps a log of the bits that a search has learnt. */
#include "explore/state/shared/learnt.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"

static uint32_t bits_of(const struct lp_word *w)
{
	return (uint32_t)w->written | (uint32_t)w->relied << 1 | (uint32_t)w->read << 8 | (uint32_t)w->skipped << 16;
}

void lp_learnt_open(struct lp_learnt *f, const struct lp_state_search *s)
{
	lp_learnt_close(f);
	f->heap = lp_alloc(sizeof *f->heap);
	memcpy(f->heap, &s->heap, sizeof s->heap);
	for (uint32_t i = 0; i < s->a.words.count; i++)
		LP_PUSH(&f->words, bits_of(&s->a.words.at[i]));
}

void lp_learnt_close(struct lp_learnt *f)
{
	lp_free(f->words.at);
	lp_free(f->heap);
	lp_free(f->log.at);
	*f = (struct lp_learnt){ .heap = NULL };
}

static void add(struct lp_learnt *f, struct lp_learnt_bit fact, enum lp_learnt_kind kind, uint32_t bits)
{
	fact.kind = (uint8_t)kind;
	fact.bits = (uint8_t)bits;
	if (bits)
		LP_PUSH(&f->log, fact);
}

static void look_at_words(struct lp_learnt *f, const struct lp_state_search *s, struct lp_learnt_bit fact)
{
	for (uint32_t i = 0; i < s->a.words.count; i++) {
		if (i == f->words.count)
			LP_PUSH(&f->words, 0);
		const uint32_t now = bits_of(&s->a.words.at[i]), new = now & ~f->words.at[i];
		LP_HOLDS(!(f->words.at[i] & ~now)); /* bits are only ever added */
		fact.address = s->a.words.at[i].address;
		add(f, fact, LP_WORD_WRITTEN, new & 1);
		add(f, fact, LP_WORD_RELIED, new >> 1 & 1);
		add(f, fact, LP_WORD_READ, new >> 8 & 0xff);
		add(f, fact, LP_WORD_SKIPPED, new >> 16 & 0xff);
		f->words.at[i] = now;
	}
}

void lp_learnt_look(struct lp_learnt *f, const struct lp_state_search *s, uint64_t seq, uint32_t peer)
{
	struct lp_learnt_bit fact = { .seq = seq, .peer = peer };

	look_at_words(f, s, fact);
	LP_HOLDS(f->words.count == s->a.words.count);
	for (uint32_t size = 0; size <= LP_BLOCK_WORDS; size++) {
		fact.address = size * 256;
		add(f, fact, LP_KIND_REVIVED, s->heap.kinds[size].revived && !f->heap->kinds[size].revived);
		add(f, fact, LP_KIND_RELIED, s->heap.kinds[size].relied && !f->heap->kinds[size].relied);
		for (uint32_t k = 0; k < LP_BLOCK_WORDS; k++) {
			fact.address = size * 256 + k;
			add(f, fact, LP_FIELD_WRITTEN, s->heap.fields[size][k].written && !f->heap->fields[size][k].written);
			add(f, fact, LP_FIELD_RELIED, s->heap.fields[size][k].relied && !f->heap->fields[size][k].relied);
		}
	}
	for (uint32_t i = 0; i < LP_HOP_STAGES; i++) {
		fact.address = i;
		add(f, fact, LP_BLOCKS_FOLLOWED, s->heap.followed[i] && !f->heap->followed[i]);
	}
	memcpy(f->heap->followed, s->heap.followed, sizeof s->heap.followed);
	memcpy(f->heap->kinds, s->heap.kinds, sizeof s->heap.kinds);
	memcpy(f->heap->fields, s->heap.fields, sizeof s->heap.fields);
}

static void put_word(struct lp_learnt *f, struct lp_state_search *s, const struct lp_learnt_bit *fact, bool on)
{
	const uint32_t word = lp_automaton_word(&s->a, fact->address);
	struct lp_word *w = &s->a.words.at[word];

	if (fact->kind == LP_WORD_WRITTEN)
		w->written = on;
	else if (fact->kind == LP_WORD_RELIED)
		w->relied = on;
	else if (fact->kind == LP_WORD_READ)
		w->read = (uint8_t)(on ? w->read | fact->bits : w->read & ~fact->bits);
	else
		w->skipped = (uint8_t)(on ? w->skipped | fact->bits : w->skipped & ~fact->bits);
	for (uint32_t i = f->words.count; i < s->a.words.count; i++)
		LP_PUSH(&f->words, bits_of(&s->a.words.at[i]));
	LP_HOLDS(word < f->words.count && f->words.count == s->a.words.count);
	f->words.at[word] = bits_of(w);
}

static void put(struct lp_learnt *f, struct lp_state_search *s, const struct lp_learnt_bit *fact, bool on)
{
	static_assert(256 % LP_BLOCK_WORDS == 0, "a size and a place are one number: lp_learnt_look()");
	const uint32_t size = (uint32_t)fact->address / 256 % (LP_BLOCK_WORDS + 1), k = (uint32_t)fact->address % LP_BLOCK_WORDS;

	switch ((enum lp_learnt_kind)fact->kind) {
	case LP_WORD_WRITTEN:
	case LP_WORD_RELIED:
	case LP_WORD_READ:
	case LP_WORD_SKIPPED:
		put_word(f, s, fact, on);
		break;
	case LP_FIELD_WRITTEN:
		s->heap.fields[size][k].written = f->heap->fields[size][k].written = on;
		break;
	case LP_FIELD_RELIED:
		s->heap.fields[size][k].relied = f->heap->fields[size][k].relied = on;
		break;
	case LP_KIND_REVIVED:
		s->heap.kinds[size].revived = f->heap->kinds[size].revived = on;
		break;
	case LP_KIND_RELIED:
		s->heap.kinds[size].relied = f->heap->kinds[size].relied = on;
		break;
	case LP_BLOCKS_FOLLOWED:
		s->heap.followed[fact->address % LP_HOP_STAGES] = f->heap->followed[fact->address % LP_HOP_STAGES] = on;
		break;
	}
}

void lp_learnt_apply(struct lp_learnt *f, struct lp_state_search *s, const struct lp_learnt_bit *fact)
{
	put(f, s, fact, true);
}

void lp_learnt_take_back(struct lp_learnt *f, struct lp_state_search *s, uint64_t seq)
{
	for (uint32_t i = f->log.count; i-- > 0;) {
		LP_HOLDS(f->log.at[i].bits && f->log.at[i].peer == f->log.at[0].peer);
		if (f->log.at[i].seq >= seq)
			put(f, s, &f->log.at[i], false);
	}
}

uint64_t lp_learnt_conflict(const struct lp_learnt_bit *facts, uint32_t count)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < i; k++) {
			const struct lp_learnt_bit *a = &facts[i], *b = &facts[k];
			const uint64_t later = a->seq > b->seq ? a->seq : b->seq;
			if (a->peer != b->peer && (a->kind ^ b->kind) == 1 && a->address == b->address &&
			    (a->bits & b->bits) && later < first)
				first = later;
		}
	return first;
}
