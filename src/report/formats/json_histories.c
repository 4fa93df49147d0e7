/* json_histories.c -- recorded histories as one JSON object.
 *
 * Members that occur in other results, too, have the same names there; `executions` is the number of
 * histories.  The members of a single history are at the top level.  With several histories they are in
 * `files`, and the top level has those of the first history that has the overall verdict.
 */
#include "report/results/histories.h"

#include <inttypes.h>

#include "report/formats/json.h"

static void number(struct lp_json *j, const char *name, int64_t value)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRId64, value);
	lp_json_text(j, name, text); /* readers round numbers beyond 2^53 */
}

static void call(struct lp_json *j, const struct lp_recorded_call *c)
{
	lp_json_begin(j, NULL, '{');
	lp_json_number(j, "thread", c->thread);
	number(j, "start", c->start);
	if (c->pending)
		lp_json_text(j, "end", NULL);
	else
		number(j, "end", c->end);
	lp_json_text(j, "call", c->call);
	if (*c->result && !c->pending)
		lp_json_text(j, "result", c->result);
	if (c->open)
		lp_json_bool(j, "open", true);
	lp_json_text(j, "where", c->where);
	lp_json_end(j);
}

static void stuck(struct lp_json *j, const struct lp_recorded_stuck *s)
{
	lp_json_begin(j, NULL, '{');
	lp_json_number(j, "call", s->call);
	lp_json_text(j, "why", s->why);
	if (s->gives)
		lp_json_text(j, "gives", s->gives);
	if (s->why[0] == 'l')
		lp_json_number(j, "first", s->first);
	lp_json_end(j);
}

/* The attempt, call by call. */
static void steps(struct lp_json *j, const struct lp_history_violation *v)
{
	lp_json_begin(j, "steps", '[');
	for (uint32_t i = 0; i < v->order_count; i++) {
		const struct lp_recorded_call *c = &v->calls[v->order[i]];
		lp_json_begin(j, NULL, '{');
		lp_json_number(j, "thread", c->thread);
		lp_json_text(j, "where", c->where);
		lp_json_text(j, "action", c->call);
		if (*c->result && !c->pending && !c->open)
			lp_json_text(j, "result", c->result);
		lp_json_end(j);
	}
	lp_json_end(j);
}

static void edge(struct lp_json *j, const struct lp_recorded_edge *e)
{
	lp_json_begin(j, NULL, '{');
	lp_json_number(j, "from", e->from);
	lp_json_number(j, "to", e->to);
	lp_json_text(j, "kind", e->kind);
	lp_json_text(j, "text", e->text);
	lp_json_end(j);
}

static void violation(struct lp_json *j, const struct lp_history_violation *v)
{
	lp_json_begin(j, "violation", '{');
	lp_json_text(j, "client", v->client);
	lp_json_begin(j, "results", '[');
	for (uint32_t i = 0; i < v->call_count; i++)
		lp_json_text(j, NULL, v->calls[i].pending || v->calls[i].open ? "?" : v->calls[i].result);
	lp_json_end(j);
	lp_json_bool(j, "minimal", v->minimal);
	lp_json_begin(j, "calls", '[');
	for (uint32_t i = 0; i < v->call_count; i++)
		call(j, &v->calls[i]);
	lp_json_end(j);
	lp_json_begin(j, "order", '[');
	for (uint32_t i = 0; i < v->order_count; i++)
		lp_json_number(j, NULL, v->order[i]);
	lp_json_end(j);
	lp_json_begin(j, "stuck", '[');
	for (uint32_t i = 0; i < v->stuck_count; i++)
		stuck(j, &v->stuck[i]);
	lp_json_end(j);
	steps(j, v);
	if (v->anomaly) {
		lp_json_text(j, "anomaly", v->anomaly);
		lp_json_begin(j, "cycle", '[');
		for (uint32_t i = 0; i < v->edge_count; i++)
			edge(j, &v->edges[i]);
		lp_json_end(j);
	}
	lp_json_end(j);
}

static void counted(struct lp_json *j, const struct lp_counted_result *c)
{
	lp_json_begin(j, NULL, '{');
	lp_json_number(j, "k", c->k);
	lp_json_number(j, "events", c->events);
	lp_json_bool(j, "seen", c->seen);
	if (c->text)
		lp_json_text(j, "text", c->text);
	if (c->seen) {
		lp_json_number(j, "thread", c->thread);
		lp_json_number(j, "line", c->line);
	}
	lp_json_end(j);
}

static void history(struct lp_json *j, const struct lp_history_result *h)
{
	lp_json_text(j, "subject", h->subject);
	if (h->verdict == LP_RESULT_VIOLATION)
		lp_json_text(j, "kind", h->kind);
	if (h->text)
		lp_json_text(j, h->verdict == LP_RESULT_INCONCLUSIVE ? "reason" : "text", h->text);
	if (h->verdict == LP_RESULT_ERROR)
		return;
	lp_json_number(j, "calls", h->calls);
	lp_json_number(j, "pending", h->pending);
	lp_json_number(j, "threads", h->threads);
	lp_json_number(j, "parts", h->parts);
	lp_json_number(j, "search_steps", h->steps);
	if (h->method)
		lp_json_text(j, "method", h->method);
	if (h->counted_count) {
		lp_json_begin(j, "counted", '[');
		for (uint32_t i = 0; i < h->counted_count; i++)
			counted(j, &h->counted[i]);
		lp_json_end(j);
	}
	if (h->violation)
		violation(j, h->violation);
}

static void scope(struct lp_json *j, const struct lp_histories_result *r)
{
	uint64_t calls = 0;

	for (uint32_t i = 0; i < r->count; i++)
		calls += r->at[i].calls;
	lp_json_begin(j, "scope", '{');
	lp_json_text(j, "specification", r->spec);
	lp_json_text(j, "property", r->prop);
	lp_json_number(j, "histories", r->count);
	lp_json_number(j, "calls", calls);
	lp_json_end(j);
}

void lp_json_put_histories(struct lp_json *j, const char *name, const struct lp_histories_result *r)
{
	const enum lp_result_verdict verdict = lp_histories_verdict(r);
	uint32_t first = 0;

	while (first + 1 < r->count && r->at[first].verdict != verdict)
		first++;
	lp_json_begin(j, name, '{');
	lp_json_text(j, "verdict", lp_result_verdict_name(verdict));
	lp_json_text(j, "spec", r->spec);
	lp_json_text(j, "prop", r->prop);
	lp_json_text(j, "model", NULL);
	lp_json_number(j, "executions", r->count);
	lp_json_number(j, "blocked", 0);
	scope(j, r);
	lp_json_real(j, "seconds", r->seconds);
	lp_json_number(j, "peak_rss_kb", r->peak_rss_kb);
	if (r->count)
		history(j, &r->at[first]);
	if (r->count > 1) {
		lp_json_begin(j, "files", '[');
		for (uint32_t i = 0; i < r->count; i++) {
			lp_json_begin(j, NULL, '{');
			lp_json_text(j, "verdict", lp_result_verdict_name(r->at[i].verdict));
			lp_json_real(j, "seconds", r->at[i].seconds);
			history(j, &r->at[i]);
			lp_json_end(j);
		}
		lp_json_end(j);
	}
	lp_json_end(j);
}

void lp_json_histories(FILE *out, const struct lp_histories_result *r)
{
	struct lp_json j = lp_json_on(out);

	lp_json_put_histories(&j, NULL, r);
	fputc('\n', out);
}
