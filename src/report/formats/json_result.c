/* json_result.c -- a result as one JSON object.
 *
 * Scripts rely on the names: fields may be added, but must not be renamed.  Fields that do
 * not apply are left out, except verdict, which is always there.  Values of memory
 * are strings: JSON readers round numbers beyond 2^53.
 */
#include "report/formats/json.h"
#include "report/decisive.h"
#include "report/folds.h"
#include "report/result.h"
#include "report/results/coverage_report.h"
#include "report/text/client_text.h"

static void text_if(struct lp_json *j, const char *name, const char *text)
{
	if (text)
		lp_json_text(j, name, text);
}

static void step_index(struct lp_json *j, const char *name, uint32_t index)
{
	if (index == LP_RESULT_INITIAL)
		lp_json_text(j, name, "initial");
	else if (index != LP_RESULT_NO_STEP)
		lp_json_number(j, name, index);
}

static void step(struct lp_json *j, const struct lp_result_step *s)
{
	char room[LP_RESULT_VALUE_ROOM];

	lp_json_begin(j, NULL, '{');
	lp_json_number(j, "thread", s->thread);
	if (!s->plain)
		lp_json_number(j, "event", s->event);
	if (s->call)
		lp_json_number(j, "call", s->call - 1);
	text_if(j, "where", s->where);
	text_if(j, "function", s->function);
	text_if(j, "caller", s->caller);
	lp_json_text(j, "action", s->action);
	text_if(j, "location", s->location);
	if (s->place)
		lp_json_number(j, "place", s->place);
	text_if(j, "order", s->order);
	if (s->has_read)
		lp_json_text(j, "read", lp_result_read(s, room));
	if (s->has_wrote)
		lp_json_text(j, "wrote", lp_result_wrote(s, room));
	text_if(j, "note", s->note);
	step_index(j, "reads_from", s->reads_from);
	step_index(j, "overwrites", s->overwrites);
	if (s->after_count) {
		lp_json_begin(j, "happens_after", '[');
		for (uint32_t i = 0; i < s->after_count; i++)
			lp_json_number(j, NULL, s->after[i]);
		lp_json_end(j);
	}
	lp_json_end(j);
}

/* The step that tells most, and those that a picture shows on demand only. */
static void emphasis(struct lp_json *j, const struct lp_result_violation *v)
{
	struct lp_result_fold folds[LP_FOLDS_MOST];
	const uint32_t count = lp_result_folds(v, folds);
	char why[LP_DECISIVE_ROOM];

	lp_json_begin(j, "decisive", '{');
	lp_json_number(j, "step", lp_decisive_step(v, why));
	text_if(j, "why", why[0] ? why : NULL);
	lp_json_end(j);
	if (!count)
		return;
	lp_json_begin(j, "folds", '[');
	for (uint32_t i = 0; i < count; i++) {
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "name", lp_fold_name(folds[i].kind));
		lp_json_number(j, "from", folds[i].from);
		lp_json_number(j, "to", folds[i].to);
		lp_json_end(j);
	}
	lp_json_end(j);
}

static void violation(struct lp_json *j, const char *name, const struct lp_result_violation *v)
{
	lp_json_begin(j, name, '{');
	lp_json_number(j, "thread", v->thread);
	text_if(j, "where", v->where);
	text_if(j, "function", v->function);
	text_if(j, "other_where", v->other_where);
	text_if(j, "location", v->location);
	text_if(j, "why", v->why);
	if (v->race[0] && v->race[1]) {
		lp_json_begin(j, "race", '[');
		lp_json_number(j, NULL, v->race[0] - 1);
		lp_json_number(j, NULL, v->race[1] - 1);
		lp_json_end(j);
	}
	text_if(j, "output", v->output);
	if (v->client)
		lp_json_client(j, v->client);
	lp_json_begin(j, "steps", '[');
	for (uint32_t i = 0; i < v->step_count; i++)
		step(j, &v->steps[i]);
	lp_json_end(j);
	if (v->step_count)
		emphasis(j, v);
	if (v->loop)
		lp_json_number(j, "loop", v->loop - 1);
	lp_json_end(j);
}

static void ignored(struct lp_json *j, const struct lp_result *r)
{
	if (!r->question.ignored_count)
		return;
	lp_json_begin(j, "ignored", '[');
	for (uint32_t i = 0; i < r->question.ignored_count; i++) {
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "kind", lp_error_name(r->question.ignored[i].error));
		text_if(j, "where", r->question.ignored[i].where);
		lp_json_text(j, "then", r->question.ignored[i].passed ? "passed over" : "cut off");
		lp_json_end(j);
	}
	lp_json_end(j);
}

static void exploration(struct lp_json *j, const struct lp_result *r)
{
	lp_json_number(j, "executions", r->counts.executions);
	lp_json_number(j, "blocked", r->counts.blocked);
	lp_json_number(j, "abandoned", r->counts.abandoned);
	if (r->question.bounded)
		lp_json_bool(j, "bounded", true);
	if (r->counts.states)
		lp_json_number(j, "states", r->counts.states);
	if (r->counts.level_count) {
		lp_json_begin(j, "states_by_depth", '[');
		for (uint32_t i = 0; i < r->counts.level_count; i++)
			lp_json_number(j, NULL, r->counts.levels[i]);
		lp_json_end(j);
	}
	if (r->counts.distinct)
		lp_json_number(j, "distinct", r->counts.distinct);
	if (r->counts.estimate > 0)
		lp_json_real(j, "estimate", r->counts.estimate);
	lp_json_begin(j, "scope", '{');
	for (uint32_t i = 0; i < r->question.scope_count; i++)
		lp_json_text(j, r->question.scope[i].name, r->question.scope[i].value);
	lp_json_end(j);
	ignored(j, r);
	text_if(j, "model", r->question.model);
	text_if(j, "prop", r->question.prop);
	if (r->peak_rss_kb) {
		lp_json_real(j, "seconds", r->seconds);
		lp_json_number(j, "peak_rss_kb", r->peak_rss_kb);
	}
	if (r->counts.outcome_count) {
		lp_json_begin(j, "outcomes", '[');
		for (uint32_t i = 0; i < r->counts.outcome_count; i++) {
			lp_json_begin(j, NULL, '{');
			lp_json_text(j, "text", r->counts.outcomes[i].text);
			lp_json_number(j, "executions", r->counts.outcomes[i].executions);
			lp_json_end(j);
		}
		lp_json_end(j);
	}
}

static void fix(struct lp_json *j, const struct lp_result_fix *f)
{
	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "text", f->text);
	lp_json_text(j, "order", f->option);
	lp_json_begin(j, "changes", '[');
	for (uint32_t i = 0; i < f->change_count; i++) {
		const struct lp_result_change *c = &f->changes[i];
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "name", c->name);
		lp_json_text(j, "operation", c->operation);
		lp_json_text(j, "variable", c->variable);
		lp_json_text(j, "from", c->from);
		lp_json_text(j, "to", c->to);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_end(j);
}

static void fixes(struct lp_json *j, const struct lp_result *r)
{
	if (r->fixes.count) {
		lp_json_begin(j, "fixes", '[');
		for (uint32_t i = 0; i < r->fixes.count; i++)
			fix(j, &r->fixes.at[i]);
		lp_json_end(j);
		lp_json_bool(j, "all_fixes", r->fixes.all);
	}
	text_if(j, "no_fix", r->fixes.none);
}

void lp_json_put_result(struct lp_json *j, const char *name, const struct lp_result *r)
{
	lp_json_begin(j, name, '{');
	lp_json_text(j, "verdict", lp_result_verdict_name(r->verdict));
	text_if(j, "subject", r->subject.name);
	text_if(j, "kind", r->kind);
	text_if(j, "text", r->text);
	text_if(j, "reason", r->reason);
	text_if(j, "hint", r->hint);
	text_if(j, "aside", r->aside);
	fixes(j, r);
	if (r->verdict != LP_RESULT_ERROR)
		exploration(j, r);
	if (r->warning_count) {
		lp_json_begin(j, "warnings", '[');
		for (uint32_t i = 0; i < r->warning_count; i++)
			lp_json_text(j, NULL, r->warnings[i]);
		lp_json_end(j);
	}
	if (r->cover)
		lp_json_coverage(j, "coverage", r->cover);
	if (r->violation)
		violation(j, r->suspected ? "suspicion" : "violation", r->violation);
	lp_json_end(j);
}

void lp_json_result(FILE *out, const struct lp_result *r)
{
	struct lp_json j = lp_json_on(out);

	lp_json_put_result(&j, NULL, r);
	fputc('\n', out);
}
