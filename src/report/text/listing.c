/* listing.c -- a whole execution, step by step, with its source lines.
 *
 *        3  T1  put(1)  store tail = 1 (relaxed)
 *                       ring.c:12: atomic_store_explicit(&tail, t + 1, relaxed);
 *        4  T2  take()  load tail = 1 (acquire)  <- step 3 (T1 ring.c:12)
 *                       ring.c:20: if (head == atomic_load_explicit(&tail, acquire))
 *
 * Unlike the table of step_table.c, the listing is meant to be read from top to bottom.  Nothing is
 * left out, and each step can be understood without the others.
 */
#include "report/text/listing.h"

#include <string.h>

#include "report/result.h"
#include "report/sources.h"
#include "report/text/step_table.h"
#include "report/text/terminal.h"

enum { SOURCE_ROOM = 256, CALL_MOST = 24 };

/* The call of a step; of a program, and of what no call does, the function. */
static const char *call_of(const struct lp_result_violation *v, const struct lp_result_step *s)
{
	if (s->call && v->client && s->call <= v->client->count)
		return v->client->calls[s->call - 1].text;
	return s->function ? s->function : "";
}

static bool ends_open(const struct lp_result_call *c)
{
	return c->open || c->stuck;
}

/* The call in which the execution went wrong, as far as there is one. */
static const char *last_call(const struct lp_result_violation *v)
{
	for (uint32_t i = 0; v->client && i < v->client->count; i++)
		if (v->client->calls[i].thread == v->thread && ends_open(&v->client->calls[i]))
			return v->client->calls[i].text;
	return v->function ? v->function : "";
}

static int width_of(const struct lp_result_violation *v)
{
	size_t width = strlen(last_call(v));

	for (uint32_t i = 0; i < v->step_count; i++) {
		const size_t length = strlen(call_of(v, &v->steps[i]));
		width = length > width ? length : width;
	}
	return width < CALL_MOST ? (int)width : CALL_MOST;
}

/* "ring.c:12 in put: text of the line"; the function where the call does not say it. */
static void put_place(const struct lp_terminal *t, const struct lp_result *r, const char *where,
		      const char *function, const char *call, int indent)
{
	char source[SOURCE_ROOM];
	const size_t length = function ? strlen(function) : 0;

	if (!where)
		return;
	fprintf(t->out, "%*s%s", indent, "", where);
	if (length && (strncmp(call, function, length) || (call[length] && call[length] != '(')))
		fprintf(t->out, " in %s", function);
	if (lp_source_line(r, where, source, sizeof source)) {
		fputs(": ", t->out);
		lp_terminal_colour(t, LP_DIM);
		fputs(source, t->out);
		lp_terminal_colour(t, LP_NORMAL);
	}
	fputc('\n', t->out);
}

void lp_terminal_listing(const struct lp_terminal *t, const struct lp_result *r)
{
	const struct lp_result_violation *v = r->violation;
	const int width = width_of(v), indent = 7 + 4 + width + 2;
	char what[LP_STEP_ROOM];

	fprintf(t->out, "the execution, step by step (%u steps):\n", v->step_count);
	for (uint32_t i = 0; i < v->step_count; i++) {
		const struct lp_result_step *s = &v->steps[i];
		const char *call = call_of(v, s);

		fprintf(t->out, "%5u  ", i + 1);
		lp_terminal_thread(t, s->thread);
		fprintf(t->out, " %-*.*s  ", width, width, call);
		lp_step_words_alone(what, r, i);
		lp_terminal_text(t, what);
		fputc('\n', t->out);
		put_place(t, r, s->where, s->function, call, indent);
	}
	fprintf(t->out, "%7s", "");
	if (v->where) {
		lp_terminal_thread(t, v->thread);
		fprintf(t->out, " %-*.*s  ", width, width, last_call(v));
	}
	lp_terminal_colour(t, LP_RED);
	fprintf(t->out, "=> %s\n", r->kind ? r->kind : "stops here");
	lp_terminal_colour(t, LP_NORMAL);
	put_place(t, r, v->where, v->function, last_call(v), indent);
	if (v->other_where)
		put_place(t, r, v->other_where, NULL, "", indent);
	lp_terminal_locations(t, r, 0);
}
