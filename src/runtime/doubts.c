/* doubts.c -- what the program has done that an answer rests on.
 *
 * Two kinds of things: code that linchpin does not understand (load/marks.h), and what shims
 * say about the environment.  Both are noted in memory that forked processes share, when they
 * are executed, in whichever execution.  A use is written down once for each place; when the
 * table is full, others of the same name stand for those that are left out.
 */
#include "runtime/machine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "load/marks.h"
#include "load/user_line.h"

enum { USES = 256 };
/* Of a mark's `executed`, and of a use's `seen`. */
enum { NEVER, SINCE, SET_UP };

struct use {
	const char *what; /* of linchpin's own text: the same in all processes */
	uintptr_t pc;
	uint8_t use, seen;
};

struct rt_doubts {
	uint32_t count;
	struct use at[USES];
};

bool rt_doubts_open(struct lp_error *error)
{
	void *shared = mmap(NULL, sizeof *rt.doubts, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return lp_fail(error, "cannot get memory to share: %s", strerror(errno));
	rt.doubts = shared;
	return true;
}

void rt_doubts_close(void)
{
	if (rt.doubts)
		munmap(rt.doubts, sizeof *rt.doubts);
	rt.doubts = NULL;
}

/* Places are reserved one by one; one whose process was killed meanwhile stays empty. */
void rt_note_use(enum rt_use use, const char *what, uintptr_t pc)
{
	struct rt_doubts *d = rt.doubts;
	const uint32_t count = __atomic_load_n(&d->count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < count && i < USES; i++) {
		struct use *u = &d->at[i];
		if (u->pc == pc && u->use == use && u->what && !strcmp(u->what, what)) {
			if (u->seen == NEVER)
				u->seen = SINCE;
			return;
		}
	}
	const uint32_t place = __atomic_fetch_add(&d->count, 1, __ATOMIC_ACQ_REL);
	if (place < USES)
		d->at[place] = (struct use){ what, pc, (uint8_t)use, SINCE };
	else
		d->count = USES;
}

static struct lp_mark *first_mark(void)
{
	return (struct lp_mark *)rt.object.marks.start;
}

static uint32_t mark_count(void)
{
	return (uint32_t)((rt.object.marks.end - rt.object.marks.start) / sizeof(struct lp_mark));
}

static void replace(uint8_t from, uint8_t to)
{
	for (uint32_t i = 0; i < mark_count(); i++)
		if (first_mark()[i].executed == from)
			first_mark()[i].executed = to;
	for (uint32_t i = 0; i < rt.doubts->count && i < USES; i++)
		if (rt.doubts->at[i].seen == from)
			rt.doubts->at[i].seen = to;
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

typedef void visitor(void *closure, enum lp_doubt, const char *text);

/* The mark that says that the function was called, or that nothing says it was not. */
static bool was_called(const char *symbol, const char **place)
{
	bool marked = false;

	*place = "";
	for (uint32_t i = 0; i < mark_count(); i++) {
		const struct lp_mark *mark = &first_mark()[i];
		if (mark->kind != LP_MARK_CALL || strncmp(mark->what, symbol, sizeof mark->what - 1))
			continue;
		marked = true;
		if (mark->executed) {
			*place = mark->place;
			return true;
		}
	}
	return !marked;
}

static void visit_unseen(const struct lp_findings *findings, visitor *visit, void *closure)
{
	char text[640], name[160];
	const char *place;

	for (uint32_t i = 0; i < findings->count; i++) {
		const struct lp_finding *f = &findings->at[i];
		if (!f->symbol) {
			visit(closure, LP_DOUBT_UNSEEN, f->text);
		} else if (was_called(f->symbol, &place)) {
			lp_plain_name(f->symbol, name, sizeof name);
			snprintf(text, sizeof text, "%s%scalls '%s', which linchpin does not model: its accesses "
				 "to shared memory are not seen", place, *place ? ": " : "", name);
			visit(closure, LP_DOUBT_UNSEEN, text);
		}
	}
	for (uint32_t i = 0; i < mark_count(); i++) {
		const struct lp_mark *mark = &first_mark()[i];
		if (mark->kind != LP_MARK_CODE || !mark->executed)
			continue;
		snprintf(text, sizeof text, "%s: %s is not modelled", mark->place, mark->what);
		visit(closure, LP_DOUBT_UNSEEN, text);
	}
}

static void visit_use(const struct use *u, visitor *visit, void *closure)
{
	static const enum lp_doubt doubt[] = {
		[RT_USE_FIXED] = LP_DOUBT_FIXED, [RT_USE_RANGE] = LP_DOUBT_RANGE,
		[RT_USE_GIVEN] = LP_DOUBT_GIVEN,
	};
	char text[320], place[160];

	if (!u->seen || !u->what)
		return;
	if (u->use == RT_USE_GIVEN) {
		visit(closure, doubt[u->use], u->what);
		return;
	}
	lp_symbols_place(rt.symbols, u->pc, place, sizeof place);
	snprintf(text, sizeof text, "%s() at %s", u->what, place);
	visit(closure, doubt[u->use], text);
}

void lp_native_doubts(struct lp_native *native, visitor *visit, void *closure)
{
	visit_unseen(&native->findings, visit, closure);
	for (uint32_t i = 0; i < rt.doubts->count && i < USES; i++)
		visit_use(&rt.doubts->at[i], visit, closure);
}
