/* history_report.c -- results of histories for CI servers.
 *
 * The calls of a violation are its steps: their places are lines of the history.
 */
#include "cli/history/history_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/deliver.h"
#include "report/source_place.h"
#include "report/text/terminal.h"

enum { COLUMNS = 120 };

/* Only what stands after the last slash is the name of a file in a result. */
static const char *last_part(const char *where)
{
	const char *slash = strrchr(where, '/');
	return slash ? slash + 1 : where;
}

static const char *call_words(const struct lp_recorded_call *c, struct lp_arena *arena)
{
	const size_t room = strlen(c->call) + strlen(c->result) + 32;
	char *text = lp_arena_alloc(arena, room);

	snprintf(text, room, "%s%s%s%s", c->call, c->result[0] ? " -> " : "", c->result,
		 c->pending ? " (does not return)" : "");
	return text;
}

static const struct lp_result_violation *violation_of(const struct lp_history_violation *h,
						      struct lp_arena *arena)
{
	struct lp_result_violation *v = lp_arena_alloc(arena, sizeof *v);
	struct lp_result_step *steps = lp_arena_alloc(arena, sizeof *steps * (h->call_count + 1));

	for (uint32_t i = 0; i < h->call_count; i++)
		steps[i] = (struct lp_result_step){
			.thread = h->calls[i].thread, .action = call_words(&h->calls[i], arena),
			.where = last_part(h->calls[i].where), .reads_from = LP_RESULT_NO_STEP,
			.overwrites = LP_RESULT_NO_STEP,
		};
	v->steps = steps;
	v->step_count = h->call_count;
	if (h->call_count) { /* calls are in the order of their starts: the history may be correct without the last one */
		v->where = steps[h->call_count - 1].where;
		v->thread = steps[h->call_count - 1].thread;
	}
	return v;
}

static struct lp_result result_of(const struct lp_history_result *h, struct lp_arena *arena)
{
	struct lp_result r = { .verdict = h->verdict, .subject.name = h->subject, .kind = h->kind, .error = h->error,
			       .text = h->text, .question.claim = h->claim, .seconds = h->seconds,
			       .subject.is_stream = !strcmp(h->subject, "standard input") };

	if (h->verdict == LP_RESULT_INCONCLUSIVE) {
		r.reason = h->text;
		r.text = NULL;
	}
	if (h->violation)
		r.violation = violation_of(h->violation, arena);
	return r;
}

/* As on the terminal; the caller frees it. */
static char *report_of(const struct lp_histories_result *all, const struct lp_history_result *h)
{
	struct lp_terminal terminal = { .columns = COLUMNS };
	char *text = NULL;
	size_t size;

	terminal.out = open_memstream(&text, &size);
	if (terminal.out) {
		lp_terminal_history(&terminal, all, h, false);
		fclose(terminal.out);
	}
	return text;
}

static void add(struct lp_pieces *pieces, uint32_t i, const struct lp_options *o, const struct lp_histories_result *all)
{
	const struct lp_history_result *h = &all->at[i];
	struct lp_arena arena = { 0 };
	const struct lp_result r = result_of(h, &arena);
	char *report = h->verdict != LP_RESULT_ERROR ? report_of(all, h) : NULL;

	lp_pieces_add(pieces, i, o, &r, report);
	lp_deliver_marks(&r);
	free(report);
	lp_arena_close(&arena);
}

bool lp_history_deliver(const struct lp_options *o, const struct lp_histories_result *all)
{
	struct lp_pieces pieces;

	if (!lp_deliver_wanted(o))
		return true;
	struct lp_object_row *rows = lp_alloc_zero(all->count + 1, sizeof *rows);
	lp_pieces_open(&pieces, o, rows, all->count);
	pieces.seconds = all->seconds;
	for (uint32_t i = 0; i < all->count; i++)
		add(&pieces, i, o, all);
	const bool good = lp_deliver_files(o, &pieces);
	lp_pieces_close(&pieces);
	lp_free(rows);
	return good;
}
