/* native_doubts.c -- notes what the program has done on which a verdict depends.
 *
 * There are two kinds: code that linchpin does not understand, which the program reports before it
 * executes such code, and uses of the environment, which shims report.  Both are noted when they are
 * executed, in any execution, in memory that forked processes share.  A use is noted once for each
 * place.  When the table is full, other uses of the same name stand for those that are left out.
 */
#include "runtime/machine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/error.h"
#include "frontend/load/site_names.h"
#include "frontend/load/user_line.h"
#include "ranks/bytes.h"

enum { USES = 256 };
/* Values of a site's `executed`, and of a use's `seen`. */
enum { NEVER, SINCE, SET_UP };

struct use {
	const char *what; /* a string of linchpin itself, which is at the same address in all processes */
	uintptr_t pc;
	uint8_t use, seen, kind; /* enum rt_use; NEVER, ...; of a finding: enum lp_error_kind */
};

struct rt_doubts {
	uint32_t count;
	struct use at[USES];
	uint8_t executed[]; /* by site */
};

static struct lp_arena texts; /* the texts of uses that only another process has noted */

static size_t shared_size(void)
{
	return sizeof(struct rt_doubts) + rt.module->site_count;
}

bool rt_doubts_open(struct lp_error *error)
{
	void *shared = mmap(NULL, shared_size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);

	if (shared == MAP_FAILED)
		return lp_fail(error, "cannot get memory to share: %s", strerror(errno));
	LP_HOLDS(!rt.seen.doubts);
	rt.seen.doubts = shared;
	return true;
}

void rt_doubts_leave(void)
{
	rt.seen.doubts = memcpy(lp_alloc(shared_size()), rt.seen.doubts, shared_size());
}

void rt_doubts_close(void)
{
	if (rt.seen.doubts)
		munmap(rt.seen.doubts, shared_size());
	rt.seen.doubts = NULL;
	lp_arena_close(&texts);
	texts = (struct lp_arena){ 0 };
}

/* Such code has its variables on the thread's stack, and no hooks. */
LP_API void lp_not_understood(LP_HOOK_SITE)
{
	rt_entries++;
	if (!rt.self)
		return;
	rt.seen.unhooked = true;
	rt_stack_forget_below((uintptr_t)__builtin_dwarf_cfa());
	LP_HOLDS(site >= rt.module->sites && site < rt.module->sites + rt.module->site_count);
	uint8_t *executed = &rt.seen.doubts->executed[site - rt.module->sites];
	if (*executed == NEVER)
		*executed = SINCE;
}

/* Findings that are ignored are told of, in whichever execution they were. */
static bool is_finding(const struct use *u)
{
	return u->use == RT_USE_PASSED || u->use == RT_USE_CUT;
}

/* Places are reserved one by one; one whose process was killed meanwhile stays empty. */
static void note(struct use new)
{
	struct rt_doubts *d = rt.seen.doubts;
	const uint32_t count = __atomic_load_n(&d->count, __ATOMIC_ACQUIRE);

	LP_HOLDS(new.what && new.use <= RT_USE_CUT && is_finding(&new) == (new.kind != LP_ERROR_NONE));
	for (uint32_t i = 0; i < count && i < USES; i++) {
		struct use *u = &d->at[i];
		if (u->pc == new.pc && u->use == new.use && u->kind == new.kind && u->what && !strcmp(u->what, new.what)) {
			if (u->seen == NEVER)
				u->seen = SINCE;
			return;
		}
	}
	const uint32_t place = __atomic_fetch_add(&d->count, 1, __ATOMIC_ACQ_REL);
	if (place < USES)
		d->at[place] = new;
	else
		d->count = USES;
}

void rt_note_use(enum rt_use use, const char *what, uintptr_t pc)
{
	note((struct use){ what, pc, (uint8_t)use, SINCE, LP_ERROR_NONE });
}

void rt_note_finding(enum rt_use use, enum lp_error_kind kind, uintptr_t pc)
{
	note((struct use){ lp_error_name(kind), pc, (uint8_t)use, SINCE, (uint8_t)kind });
}

static void replace(uint8_t from, uint8_t to)
{
	for (uint32_t i = 0; i < rt.module->site_count; i++)
		if (rt.seen.doubts->executed[i] == from)
			rt.seen.doubts->executed[i] = to;
	for (uint32_t i = 0; i < rt.seen.doubts->count && i < USES; i++)
		if (rt.seen.doubts->at[i].seen == from && (to != NEVER || !is_finding(&rt.seen.doubts->at[i])))
			rt.seen.doubts->at[i].seen = to;
}

void rt_doubts_keep(void)
{
	replace(SINCE, SET_UP);
}

void lp_native_forget(struct lp_native *native)
{
	(void)native;
	replace(SINCE, NEVER);
}

typedef void visitor(void *closure, const struct lp_doubt_met *);

static void visit_site(const struct lp_site *site, visitor *visit, void *closure)
{
	const char *name = lp_module_text(rt.module, site->name);
	char text[640], place[160], plain[160];

	lp_symbols_place(rt.loaded.symbols, (uintptr_t)site, place, sizeof place);
	if (site->kind == LP_SITE_ASSEMBLY) {
		snprintf(text, sizeof text, "%s: %s is not modelled", place, name);
	} else {
		lp_user_plain_name(name, plain, sizeof plain);
		snprintf(text, sizeof text, "%s: calls '%s', which linchpin does not model: its accesses to "
			 "shared memory are not seen", place, *plain ? plain : "an unknown function");
	}
	visit(closure, &(struct lp_doubt_met){ LP_DOUBT_UNSEEN, .text = text });
}

static void visit_unseen(const struct lp_findings *findings, visitor *visit, void *closure)
{
	for (uint32_t i = 0; i < findings->count; i++)
		visit(closure, &(struct lp_doubt_met){ LP_DOUBT_UNSEEN, .text = findings->at[i] });
	if (rt.module->assembly) {
		char text[320];
		snprintf(text, sizeof text, "%s is not modelled", lp_module_text(rt.module, rt.module->assembly));
		visit(closure, &(struct lp_doubt_met){ LP_DOUBT_UNSEEN, .text = text });
	}
	for (uint32_t i = 0; i < rt.module->site_count; i++)
		if (rt.seen.doubts->executed[i] != NEVER)
			visit_site(&rt.module->sites[i], visit, closure);
}

static void visit_use(const struct use *u, visitor *visit, void *closure)
{
	static const enum lp_doubt doubt[] = {
		[RT_USE_FIXED] = LP_DOUBT_FIXED, [RT_USE_RANGE] = LP_DOUBT_RANGE,
		[RT_USE_GIVEN] = LP_DOUBT_GIVEN, [RT_USE_PASSED] = LP_DOUBT_PASSED, [RT_USE_CUT] = LP_DOUBT_CUT,
	};
	char text[320], place[160];

	LP_HOLDS(u->use < sizeof doubt / sizeof *doubt && u->seen <= SET_UP);
	if (!u->seen || !u->what)
		return;
	struct lp_doubt_met met = { .doubt = doubt[u->use], .text = u->what, .kind = (enum lp_error_kind)u->kind };
	if (u->use == RT_USE_GIVEN || !u->pc) {
		visit(closure, &met);
		return;
	}
	lp_symbols_place(rt.loaded.symbols, u->pc, place, sizeof place);
	snprintf(text, sizeof text, "%s%s at %s", u->what, is_finding(u) ? "" : "()", place);
	met.text = text;
	met.place = place;
	visit(closure, &met);
}

void lp_native_doubts(struct lp_native *native, visitor *visit, void *closure)
{
	visit_unseen(&native->findings, visit, closure);
	for (uint32_t i = 0; i < rt.seen.doubts->count && i < USES; i++)
		visit_use(&rt.seen.doubts->at[i], visit, closure);
}

/* ---- as bytes ---- */

void rt_doubts_write(struct lp_bytes *to)
{
	const struct rt_doubts *d = rt.seen.doubts;

	for (uint32_t i = 0; i < d->count && i < USES; i++) {
		if (!d->at[i].what || d->at[i].seen == NEVER)
			continue;
		lp_bytes_put_line(to, d->at[i].what);
		lp_bytes_put_number(to, d->at[i].pc);
		lp_bytes_put_number(to, d->at[i].use);
		lp_bytes_put_number(to, d->at[i].kind);
	}
	lp_bytes_put_line(to, "");
	lp_bytes_put_sparse(to, d->executed, rt.module->site_count);
}

bool rt_doubts_merge(struct lp_cursor *from)
{
	const char *what;
	uint8_t *executed = lp_alloc(rt.module->site_count + 1);

	while (*(what = lp_cursor_line(from))) {
		const uintptr_t pc = lp_cursor_u64(from);
		const uint64_t use = lp_cursor_number(from, RT_USE_CUT);
		const uint64_t kind = lp_cursor_number(from, LP_ERROR_KINDS - 1);
		if (!from->bad)
			note((struct use){ lp_arena_strdup(&texts, what), pc, (uint8_t)use, SINCE, (uint8_t)kind });
	}
	lp_cursor_sparse(from, executed, rt.module->site_count);
	for (uint32_t i = 0; i < rt.module->site_count && !from->bad; i++)
		if (executed[i] != NEVER && rt.seen.doubts->executed[i] == NEVER)
			rt.seen.doubts->executed[i] = SINCE;
	lp_free(executed);
	return !from->bad;
}
