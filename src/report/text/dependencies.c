/* dependencies.c -- transactions that depend on each other in a circle, for people:
 *
 *     (1) T0    r x [], append y 1  h.edn:2
 *      |  rw    r x [] has not seen append x 2
 *     (2) T1    append x 2, r y []  h.edn:4
 *      |  rw    r y [] has not seen append y 1
 *     (1)
 *
 * The numbers are those of the picture of intervals above it.
 */
#include "report/results/histories.h"

#include "report/text/step_table.h"
#include "report/text/terminal.h"

static void put_txn(const struct lp_terminal *t, const struct lp_history_violation *v, uint32_t i)
{
	fprintf(t->out, "  (%u) ", i + 1);
	lp_terminal_recorded(t, &v->calls[i]);
	fputc('\n', t->out);
}

void lp_terminal_dependencies(const struct lp_terminal *t, const struct lp_history_violation *v)
{
	if (v->edge_count)
		fputs("\nthey depend on each other in a circle:\n", t->out);
	for (uint32_t i = 0; i < v->edge_count; i++) {
		const struct lp_recorded_edge *e = &v->edges[i];
		put_txn(t, v, e->from);
		lp_terminal_colour(t, LP_DIM);
		fprintf(t->out, "   |  %-5s ", e->kind);
		lp_terminal_colour(t, LP_NORMAL);
		lp_terminal_text(t, e->text);
		fputc('\n', t->out);
	}
	if (v->edge_count) {
		fprintf(t->out, "  (%u)\n", v->edges[0].from + 1);
		return;
	}
	fputc('\n', t->out);
	for (uint32_t i = 0; i < v->call_count; i++)
		put_txn(t, v, i);
}
