/* liveness_solve.c -- what is live: a backward analysis of registers and stack bytes.
 *
 * The classical equations, live-in = use | (live-out - kill), with one refinement:
 * a copy into something dead is no use (Giegerich, Moencke and Wilhelm, "Invariance
 * of approximative semantics with respect to program transformations", 1981, call
 * such variables faint).  It is what makes the save and the restore of a
 * caller's register no use of it: the caller's own site says whether it is live.
 */
#include "load/liveness_code.h"

#include <string.h>

struct live {
	uint16_t regs;
	bool incoming;
	bool result;     /* rax, and not only because the function may return it */
	bool passed;     /* rax, because the function may return it */
	uint64_t *bytes; /* a bit per byte; bit 0 is offset -depth */
};

struct solver {
	struct x_code *code;
	uint32_t words; /* of a byte set */
};

static const uint8_t saved_regs[LP_SAVED_COUNT] = { RBX, RBP, R12, R13, R14, R15 };

/* Bits [from, to) of word w, as offsets from the CFA. */
static uint64_t part(const struct solver *s, int32_t from, int32_t to, uint32_t w)
{
	const int32_t first = (int32_t)(w * 64) - s->code->depth;
	const int32_t low = from > first ? from - first : 0;
	const int32_t high = to < first + 64 ? to - first : 64;

	if (low >= high)
		return 0;
	return (high == 64 ? ~UINT64_C(0) : (UINT64_C(1) << high) - 1) & ~UINT64_C(0) << low;
}

/* The words of the byte set that [from, to) concerns. */
static void clamp(const struct solver *s, int32_t from, int32_t to, uint32_t *first, uint32_t *end)
{
	const int32_t depth = s->code->depth;

	from = from < -depth ? -depth : from;
	to = to > ARGUMENT_BYTES ? ARGUMENT_BYTES : to;
	*first = *end = 0;
	if (from < to) {
		*first = (uint32_t)(from + depth) / 64;
		*end = (uint32_t)(to + depth + 63) / 64;
	}
}

static void set_bytes(const struct solver *s, struct live *live, int32_t from, int32_t to)
{
	uint32_t w, end;

	for (clamp(s, from, to, &w, &end); w < end; w++)
		live->bytes[w] |= part(s, from, to, w);
}

static void clear_bytes(const struct solver *s, struct live *live, int32_t from, int32_t to)
{
	uint32_t w, end;

	for (clamp(s, from, to, &w, &end); w < end; w++)
		live->bytes[w] &= ~part(s, from, to, w);
}

static bool any_byte(const struct solver *s, const struct live *live, int32_t from, int32_t to)
{
	uint32_t w, end;

	for (clamp(s, from, to, &w, &end); w < end; w++)
		if (live->bytes[w] & part(s, from, to, w))
			return true;
	return false;
}

static bool is_whole(const struct x_code *code)
{
	return code->escapes || code->handlers;
}

/* Whatever a callee may have been given of the stack: not the saved registers. */
static void set_frame(const struct solver *s, const struct x_effect *e, struct live *live)
{
	const struct x_site *site = e->site >= 0 ? &s->code->sites.at[e->site] : NULL;

	for (int32_t at = e->read_from; at < e->read_to; at++) {
		bool is_save = false;
		for (unsigned r = 0; r < LP_SAVED_COUNT; r++)
			is_save |= site && site->known && site->saved[r] &&
				   at >= site->saved[r] && at < site->saved[r] + 8;
		if (!is_save)
			set_bytes(s, live, at, at + 1);
	}
}

/* To return leaves it to the caller's site to say whether rax is looked at, and so does to
 * widen it in place.  And no call takes rax as an argument unless it has been set for that. */
static bool looks_at_rax(const struct x_insn *x, const struct x_effect *e, bool needed)
{
	if (x->class_ == X_EXTEND && e->def == BIT(RAX) && e->use == BIT(RAX))
		return false;
	return x->class_ != X_RETURN && x->class_ != X_CALL &&
	       ((needed && e->use & BIT(RAX)) || e->always & BIT(RAX));
}

/* From what is live after an instruction to what is live before it. */
static void backwards(const struct solver *s, const struct x_insn *x, const struct x_effect *e,
		      struct live *live)
{
	const bool writes = e->write_from < e->write_to;
	const bool needed = !e->faint || (e->def & live->regs) || (writes && is_whole(s->code)) ||
			    any_byte(s, live, e->write_from, e->write_to);

	/* After a call rax is another one, also if the callee is one of the object's: no code is
	 * made for callees that leave registers alone (-fno-ipa-ra). */
	const bool sets_rax = x->class_ == X_CALL ||
			      (needed && e->kill & BIT(RAX) && !(e->use & BIT(RAX)));

	if (sets_rax)
		live->result = false;
	if (x->class_ == X_RETURN)
		live->passed = true;
	else if (sets_rax)
		live->passed = false;
	live->result |= looks_at_rax(x, e, needed);
	if (needed) {
		live->regs &= (uint16_t)~e->kill;
		clear_bytes(s, live, e->write_from, e->write_to);
		live->regs |= e->use;
		if (e->not_saves)
			set_frame(s, e, live);
		else
			set_bytes(s, live, e->read_from, e->read_to);
		live->incoming |= e->incoming;
	}
	live->regs |= e->always;
}

static void copy_live(const struct solver *s, struct live *to, const struct live *from)
{
	to->regs = from->regs;
	to->incoming = from->incoming;
	to->result = from->result;
	to->passed = from->passed;
	memcpy(to->bytes, from->bytes, s->words * sizeof *to->bytes);
}

/* What is live at the end of a block. */
static void join_next(const struct solver *s, const struct x_block *block, const struct live *in,
		      struct live *out)
{
	out->regs = 0;
	out->incoming = false;
	out->result = out->passed = false;
	memset(out->bytes, 0, s->words * sizeof *out->bytes);
	for (unsigned n = 0; n < 2; n++) {
		if (block->next[n] < 0)
			continue;
		const struct live *next = &in[block->next[n]];
		out->regs |= next->regs;
		out->incoming |= next->incoming;
		out->result |= next->result;
		out->passed |= next->passed;
		for (uint32_t w = 0; w < s->words; w++)
			out->bytes[w] |= next->bytes[w];
	}
}

static bool differs(const struct solver *s, const struct live *a, const struct live *b)
{
	return a->regs != b->regs || a->incoming != b->incoming || a->result != b->result ||
	       a->passed != b->passed ||
	       memcmp(a->bytes, b->bytes, s->words * sizeof *a->bytes);
}

static bool is_dead_save(const struct solver *s, const struct x_site *site, const struct live *live,
			 int32_t at)
{
	for (unsigned r = 0; r < LP_SAVED_COUNT; r++)
		if (site->saved[r] == at && at && !any_byte(s, live, at, at + 8))
			return true;
	return false;
}

static uint64_t live_mask(const struct solver *s, const struct live *live, int32_t at)
{
	uint64_t mask = 0;

	for (int32_t i = 0; i < 8; i++)
		if (any_byte(s, live, at + i, at + i + 1))
			mask |= UINT64_C(0xff) << (8 * i);
	return mask;
}

struct words {
	LP_VEC(struct lp_live_word);
};

/* Describes the moment after the call, when `live` is live. */
static void describe(const struct solver *s, const struct x_site *site, const struct live *live,
		     const struct x_block *block, struct lp_arena *arena, struct lp_site *out)
{
	const struct x_code *code = s->code;
	const bool whole = is_whole(code) || !site->rsp_known;
	struct words words = { 0 };
	int32_t from = site->rsp;

	*out = (struct lp_site){
		.pc = (uint32_t)site->pc, .on_loop = block->on_loop, .outgoing = site->outgoing,
		.cfa_from_rbp = site->cfa_from_rbp, .cfa_offset = site->cfa_offset,
		.incoming = live->incoming || whole, .kept = site->kept,
		.result = live->result ? LP_RESULT_USED :
			  live->passed ? LP_RESULT_PASSED_ON : LP_RESULT_UNUSED,
	};
	memcpy(out->saved, site->saved, sizeof out->saved);
	if (!site->known || site->pc > UINT32_MAX - 1) {
		out->pc = UINT32_MAX;
		return;
	}
	for (unsigned r = 0; r < LP_SAVED_COUNT; r++) {
		if ((live->regs & BIT(saved_regs[r])) || code->handlers)
			out->live |= (uint8_t)(1u << r);
		if (site->pinned & BIT(saved_regs[r]))
			out->pinned |= (uint8_t)(1u << r);
	}
	if (!site->rsp_known) {
		from = -8;
		for (unsigned r = 0; r < LP_SAVED_COUNT; r++)
			from = site->saved[r] < from ? site->saved[r] & ~7 : from;
		out->dynamic = true;
		out->fixed = from;
	}
	for (int32_t at = from; at < ARGUMENT_BYTES; at += 8) {
		uint64_t mask = live_mask(s, live, at);
		for (unsigned i = 0; i < sizeof site->also / sizeof *site->also; i++)
			if (site->also[i] && site->also[i] < at + 8 && at < site->also[i] + 8)
				mask = ~UINT64_C(0);
		if (whole && at < -8)
			mask = is_dead_save(s, site, live, at) ? 0 : ~UINT64_C(0);
		if (mask && at != -8) /* the return address is known by other means */
			LP_PUSH(&words, ((struct lp_live_word){ at, mask }));
	}
	struct lp_live_word *kept = lp_arena_alloc(arena, words.count * sizeof *kept);
	if (words.count)
		memcpy(kept, words.at, words.count * sizeof *kept);
	out->words = kept;
	out->word_count = words.count;
	lp_free(words.at);
}

static void summarise(const struct solver *s, const struct live *entry, struct lp_summary *summary)
{
	*summary = (struct lp_summary){ .returns = s->code->returns,
					.reads_all = entry->incoming || is_whole(s->code) };
	for (int32_t at = ARGUMENT_BYTES - 1; at >= 0 && !summary->reads_to; at--)
		if (any_byte(s, entry, at, at + 1))
			summary->reads_to = (uint16_t)(at + 1);
}

void x_code_solve(struct x_code *code, struct lp_arena *arena, struct lp_site *sites,
		  struct lp_summary *summary)
{
	const struct solver s = { code, (uint32_t)(code->depth + ARGUMENT_BYTES) / 64 };
	const uint32_t blocks = code->blocks.count;
	struct live *in = lp_alloc_zero(blocks + 1, sizeof *in);
	uint64_t *bytes = lp_alloc_zero((size_t)(blocks + 1) * s.words, sizeof *bytes);
	struct live *now = &in[blocks];
	bool again = true;

	for (uint32_t b = 0; b <= blocks; b++)
		in[b].bytes = bytes + (size_t)b * s.words;
	/* Everything only grows; the last round, which changes nothing, describes. */
	for (bool last = false; again || !last;) {
		last = !again;
		again = false;
		for (uint32_t b = blocks; b--;) {
			const struct x_block *block = &code->blocks.at[b];

			join_next(&s, block, in, now);
			for (uint32_t i = block->first + block->count; i-- > block->first;) {
				const struct x_effect *e = &code->effects.at[i];
				if (last && e->site >= 0)
					describe(&s, &code->sites.at[e->site], now, block, arena,
						 &sites[e->site]);
				backwards(&s, &code->insns.at[i], e, now);
			}
			if (differs(&s, now, &in[b])) {
				copy_live(&s, &in[b], now);
				again = true;
			}
		}
	}
	for (uint32_t b = 0; b < blocks; b++)
		if (code->insns.at[code->blocks.at[b].first].at == code->function->start)
			summarise(&s, &in[b], summary);
	lp_free(bytes);
	lp_free(in);
}
