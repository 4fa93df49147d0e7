/* liveness.c -- the table of sites, and walking a suspended thread's frames. */
#include "load/liveness.h"

#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "load/liveness_code.h"

struct lp_liveness {
	uintptr_t base;
	uint64_t code_start, code_size; /* of everything executable, from the base */
	struct lp_arena arena;          /* the sites' words */
	struct { LP_VEC(struct lp_site); } sites;
	uint32_t *table;                /* open addressing; 1 + index into sites; 0: free */
	uint32_t mask;
};

/* ---- analysing all functions ---- */

enum progress { NOT_YET, UNDER_WAY, DONE };

struct callees {
	LP_VEC(const struct lp_image_function *);
};

struct analysis {
	struct lp_liveness *liveness;
	const struct lp_image *image;
	struct x_decoder *decoder;
	struct lp_summary *summaries; /* these four by index of the function */
	uint8_t *progress;
	struct callees *callees;
	struct { LP_VEC(uint32_t); } owner; /* of each site: its function */
};

static void analyse(struct analysis *, const struct lp_image_function *);

/* Callees first; one that is under way calls itself, and is unknown for now. */
static struct lp_summary summary_of(void *closure, const struct lp_image_function *f)
{
	struct analysis *analysis = closure;
	const size_t index = (size_t)(f - analysis->image->functions.at);

	if (analysis->progress[index] == NOT_YET)
		analyse(analysis, f);
	return analysis->summaries[index];
}

static void analyse(struct analysis *analysis, const struct lp_image_function *f)
{
	const size_t index = (size_t)(f - analysis->image->functions.at);
	struct lp_liveness *liveness = analysis->liveness;
	struct x_code code = { .image = analysis->image, .decoder = analysis->decoder,
			       .function = f, .summary = summary_of, .closure = analysis };

	analysis->progress[index] = UNDER_WAY;
	analysis->summaries[index] = (struct lp_summary){ .returns = true, .reads_all = true };
	if (x_code_build(&code) && x_code_frame(&code)) {
		struct lp_site *sites = lp_alloc_zero(code.sites.count, sizeof *sites);

		x_code_solve(&code, &liveness->arena, sites, &analysis->summaries[index]);
		for (uint32_t i = 0; i < code.sites.count; i++) {
			if (sites[i].pc == UINT32_MAX || sites[i].pc == 0)
				continue;
			LP_PUSH(&liveness->sites, sites[i]);
			LP_PUSH(&analysis->owner, (uint32_t)index);
		}
		lp_free(sites);
	}
	for (uint32_t i = 0; i < code.callees.count; i++)
		LP_PUSH(&analysis->callees[index], code.callees.at[i]);
	analysis->progress[index] = DONE;
	x_code_drop(&code);
}

/* Can the function reach itself through direct calls? */
static bool is_recursive(const struct analysis *analysis, uint32_t root, uint32_t *seen,
			 uint32_t *stack)
{
	uint32_t depth = 0;

	stack[depth++] = root;
	while (depth) {
		const struct callees *callees = &analysis->callees[stack[--depth]];
		for (uint32_t i = 0; i < callees->count; i++) {
			const uint32_t next = (uint32_t)(callees->at[i] - analysis->image->functions.at);
			if (next == root)
				return true;
			if (seen[next] != root + 1) {
				seen[next] = root + 1;
				stack[depth++] = next;
			}
		}
	}
	return false;
}

static void mark_recursion(struct analysis *analysis)
{
	const uint32_t count = analysis->image->functions.count;
	uint32_t *seen = lp_alloc_zero(count + 1, sizeof *seen);
	uint32_t *stack = lp_alloc((count + 1) * sizeof *stack);

	for (uint32_t i = 0; i < count; i++)
		analysis->summaries[i].recursive = is_recursive(analysis, i, seen, stack);
	for (uint32_t i = 0; i < analysis->liveness->sites.count; i++)
		analysis->liveness->sites.at[i].on_loop |=
			analysis->summaries[analysis->owner.at[i]].recursive;
	lp_free(seen);
	lp_free(stack);
}

static void analyse_all(struct lp_liveness *liveness, const struct lp_image *image)
{
	const uint32_t count = image->functions.count;
	struct analysis analysis = { .liveness = liveness, .image = image };

	analysis.decoder = x_decoder_open();
	if (!analysis.decoder)
		return;
	analysis.summaries = lp_alloc_zero(count, sizeof *analysis.summaries);
	analysis.progress = lp_alloc_zero(count, sizeof *analysis.progress);
	analysis.callees = lp_alloc_zero(count, sizeof *analysis.callees);
	for (uint32_t i = 0; i < count; i++)
		if (analysis.progress[i] == NOT_YET && !image->functions.at[i].part)
			analyse(&analysis, &image->functions.at[i]);
	mark_recursion(&analysis);
	for (uint32_t i = 0; i < count; i++)
		lp_free(analysis.callees[i].at);
	lp_free(analysis.callees);
	lp_free(analysis.progress);
	lp_free(analysis.summaries);
	lp_free(analysis.owner.at);
	x_decoder_close(analysis.decoder);
}

/* ---- the table ---- */

static uint32_t hash(uint32_t pc)
{
	return (uint32_t)((pc * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

/* Code that two functions share has two descriptions: then it has none. */
static void fill_table(struct lp_liveness *liveness)
{
	uint32_t room = 64;

	while (room < liveness->sites.count * 3)
		room *= 2;
	liveness->mask = room - 1;
	liveness->table = lp_alloc_zero(room, sizeof *liveness->table);
	for (uint32_t i = 0; i < liveness->sites.count; i++) {
		const uint32_t pc = liveness->sites.at[i].pc;
		uint32_t h = hash(pc) & liveness->mask;

		while (liveness->table[h] && liveness->sites.at[liveness->table[h] - 1].pc != pc)
			h = (h + 1) & liveness->mask;
		if (liveness->table[h])
			liveness->sites.at[liveness->table[h] - 1].cfa_offset = 0;
		else
			liveness->table[h] = i + 1;
	}
}

static void find_extent(struct lp_liveness *liveness, const struct lp_image *image)
{
	uint64_t start = UINT64_MAX, end = 0;

	for (uint32_t i = 0; i < image->code.count; i++) {
		const struct lp_image_code *code = &image->code.at[i];
		start = code->start < start ? code->start : start;
		end = code->start + code->size > end ? code->start + code->size : end;
	}
	liveness->code_start = start < end ? start : 0;
	liveness->code_size = start < end ? end - start : 0;
}

struct lp_liveness *lp_liveness_open(const char *so_path, uintptr_t load_base, struct lp_error *error)
{
	struct lp_image image;

	if (!lp_image_open(&image, so_path, error))
		return NULL;
	struct lp_liveness *liveness = lp_alloc_zero(1, sizeof *liveness);

	liveness->base = load_base;
	find_extent(liveness, &image);
	if (image.x86_64)
		analyse_all(liveness, &image);
	fill_table(liveness);
	lp_image_close(&image);
	return liveness;
}

void lp_liveness_close(struct lp_liveness *liveness)
{
	if (!liveness)
		return;
	lp_arena_close(&liveness->arena);
	lp_free(liveness->sites.at);
	lp_free(liveness->table);
	lp_free(liveness);
}

uint32_t lp_liveness_count(const struct lp_liveness *liveness)
{
	return liveness->sites.count;
}

const struct lp_site *lp_liveness_nth(const struct lp_liveness *liveness, uint32_t n)
{
	return &liveness->sites.at[n];
}

static bool is_code(const struct lp_liveness *liveness, uintptr_t pc)
{
	return pc - liveness->base - liveness->code_start < liveness->code_size;
}

const struct lp_site *lp_liveness_site(const struct lp_liveness *liveness, uintptr_t return_address)
{
	if (!is_code(liveness, return_address))
		return NULL;
	const uint32_t pc = (uint32_t)(return_address - liveness->base);

	for (uint32_t h = hash(pc);; h++) {
		const uint32_t entry = liveness->table[h & liveness->mask];
		if (!entry)
			return NULL;
		const struct lp_site *site = &liveness->sites.at[entry - 1];
		if (site->pc == pc)
			return site->cfa_offset || site->cfa_from_rbp ? site : NULL;
	}
}

/* ---- walking ---- */

/* Not for a sanitizer's eyes: frames have gaps that it guards. */
__attribute__((no_sanitize("address"))) static inline uint64_t word_at(uintptr_t address)
{
	return *(const volatile uint64_t *)address;
}

/* The frame that a site stands in; `at` then becomes the registers of its caller.
 * False if the frame cannot be right. */
static inline bool enter_frame(const struct lp_site *site, const struct lp_registers *at,
			       uintptr_t stack_top, uintptr_t *cfa)
{
	*cfa = (site->cfa_from_rbp ? at->saved[LP_RBP] : at->rsp) + (uintptr_t)(intptr_t)site->cfa_offset;
	return *cfa > at->rsp && *cfa <= stack_top && *cfa % 8 == 0;
}

static inline void leave_frame(const struct lp_site *site, struct lp_registers *at, uintptr_t cfa)
{
	for (unsigned r = 0; r < LP_SAVED_COUNT; r++)
		if (!(site->kept >> r & 1))
			at->saved[r] = word_at(cfa + (uintptr_t)(intptr_t)site->saved[r]);
	at->rip = word_at(cfa - 8);
	at->rsp = cfa;
}

/* Is there a return address into the object between here and the stack's top?
 * Then the object's code was called back by somebody, and has frames up there. */
static bool has_frames_above(const struct lp_liveness *liveness, uintptr_t from, uintptr_t stack_top)
{
	for (; from + 8 <= stack_top; from += 8)
		if (is_code(liveness, word_at(from)) && lp_liveness_site(liveness, word_at(from)))
			return true;
	return false;
}

/* Where live words go: into a fingerprint, or to somebody who looks at them. */
struct sink {
	struct lp_fingerprint f;
	void (*see)(void *closure, uint64_t word);
	void *closure;
};

static inline __attribute__((always_inline)) void feed(struct sink *out, uint64_t word, uint64_t mask)
{
	if (out->see)
		out->see(out->closure, word);
	else
		lp_fingerprint_word(&out->f, word & mask);
}

static inline void feed_range(struct sink *out, uintptr_t from, uintptr_t to)
{
	for (; from < to; from += 8)
		feed(out, word_at(from), UINT64_MAX);
}

/* All of the frame but the registers saved there, which are the caller's. */
static inline void feed_frame(struct sink *out, const struct lp_site *site, uintptr_t rsp,
		       uintptr_t cfa)
{
	for (uintptr_t at = rsp; at < cfa - 8; at += 8) {
		bool is_save = false;
		for (unsigned r = 0; r < LP_SAVED_COUNT; r++)
			is_save |= site->saved[r] && cfa + (uintptr_t)(intptr_t)site->saved[r] == at;
		if (!is_save)
			feed(out, word_at(at), UINT64_MAX);
	}
}

static inline __attribute__((always_inline)) bool walk(const struct lp_liveness *liveness,
							 const struct lp_registers *at_hook,
							 uintptr_t stack_top, struct sink *out)
{
	struct lp_registers at = *at_hook;
	bool incoming = false;
	uintptr_t cfa;

	if (!out->see)
		lp_fingerprint_word(&out->f, at.rsp);
	do {
		const struct lp_site *site = lp_liveness_site(liveness, at.rip);

		if (!site || !enter_frame(site, &at, stack_top, &cfa))
			return false;
		if (!out->see) {
			lp_fingerprint_word(&out->f, site->pc);
			lp_fingerprint_word(&out->f, cfa);
		}
		for (unsigned live = site->live & ~site->pinned & 0xffu; live; live &= live - 1)
			feed(out, at.saved[__builtin_ctz(live)], UINT64_MAX);
		/* The callee may have stack arguments that it did not name. */
		if (incoming && site->outgoing)
			feed_frame(out, site, at.rsp, cfa);
		else if (site->dynamic)
			feed_range(out, at.rsp, cfa + (uintptr_t)(intptr_t)site->fixed);
		for (uint32_t i = 0; i < site->word_count; i++) {
			const uintptr_t address = cfa + (uintptr_t)(intptr_t)site->words[i].at;
			if (address + 8 > stack_top)
				return false;
			feed(out, word_at(address), site->words[i].mask);
		}
		incoming = site->incoming;
		leave_frame(site, &at, cfa);
	} while (is_code(liveness, at.rip));

	return !has_frames_above(liveness, cfa, stack_top);
}

bool lp_liveness_fingerprint(const struct lp_liveness *liveness, const struct lp_registers *at_hook,
			     uintptr_t stack_top, struct lp_fingerprint *out)
{
	struct sink sink = { .f = *out };

	if (!walk(liveness, at_hook, stack_top, &sink))
		return false;
	*out = sink.f;
	return true;
}

bool lp_liveness_words(const struct lp_liveness *liveness, const struct lp_registers *at_hook,
		       uintptr_t stack_top, void (*see)(void *closure, uint64_t word),
		       void *closure)
{
	struct sink sink = { .see = see, .closure = closure };

	return walk(liveness, at_hook, stack_top, &sink);
}

bool lp_liveness_on_loop(const struct lp_liveness *liveness, const struct lp_registers *at_hook,
			 uintptr_t stack_top)
{
	struct lp_registers at = *at_hook;
	uintptr_t cfa;

	do {
		const struct lp_site *site = lp_liveness_site(liveness, at.rip);

		if (!site || site->on_loop || !enter_frame(site, &at, stack_top, &cfa))
			return true;
		leave_frame(site, &at, cfa);
	} while (is_code(liveness, at.rip));
	return has_frames_above(liveness, cfa, stack_top);
}

/* Is any of the frame's bytes at p live, or is p elsewhere? */
static bool may_be_live(const struct lp_site *site, uintptr_t rsp, uintptr_t cfa, uintptr_t p,
			size_t size)
{
	if (site->dynamic || p < rsp || p + size > cfa - 8)
		return true;
	for (uint32_t i = 0; i < site->word_count; i++) {
		const uintptr_t word = cfa + (uintptr_t)(intptr_t)site->words[i].at;
		for (unsigned byte = 0; byte < 8; byte++)
			if (word + byte - p < size && site->words[i].mask >> (8 * byte) & 0xff)
				return true;
	}
	return false;
}

bool lp_liveness_ignores(const struct lp_liveness *liveness, const struct lp_registers *at_hook,
			 uintptr_t stack_top, uintptr_t p, size_t size)
{
	struct lp_registers at = *at_hook;
	uintptr_t cfa;

	do {
		const struct lp_site *site = lp_liveness_site(liveness, at.rip);

		if (!site || site->result == LP_RESULT_USED || !enter_frame(site, &at, stack_top, &cfa))
			return false;
		if (p && may_be_live(site, at.rsp, cfa, p, size))
			return false;
		if (site->result == LP_RESULT_UNUSED)
			return true;
		leave_frame(site, &at, cfa);
		p = 0; /* it was in a frame that is gone */
	} while (is_code(liveness, at.rip));
	return false; /* whoever called the outermost function may look at it */
}
