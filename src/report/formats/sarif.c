/* sarif.c -- results as a log of static analysis: SARIF 2.1.0. */
#include "report/formats/sarif.h"
#include "base/alloc.h"
#include "report/text/headline.h"
#include "report/formats/json.h"
#include "report/source_place.h"
#include "report/result.h"
#include "report/text/step_table.h"

#include <string.h>

/* The rules are the kinds of errors, in the order of their table, and then those of our own. */
enum rule {
#define LP_ERROR(NAME, kind, meaning) RULE_##NAME,
#include "base/errors.def"
#undef LP_ERROR
	RULE_NOT_EXPECTED,
	RULE_INCONCLUSIVE,
	RULES, /* a property of histories that has no rule */
};

static const struct {
	const char *name, *meaning;
} rules[RULES] = {
#define LP_ERROR(NAME, kind, meaning) [RULE_##NAME] = { kind, meaning },
#include "base/errors.def"
#undef LP_ERROR
	[RULE_NOT_EXPECTED] = { "not as expected", "a row of a table of expected verdicts does not match" },
	[RULE_INCONCLUSIVE] = { "inconclusive", "neither verified nor refuted: a limit was reached, or the program executes something that linchpin does not model" },
};

enum { ID_ROOM = 64 };

/* "use after free" becomes "use-after-free": viewers put it into addresses. */
static const char *rule_id(const char *kind, char out[ID_ROOM])
{
	size_t i;

	for (i = 0; kind[i] && i + 1 < ID_ROOM; i++)
		out[i] = kind[i] == ' ' ? '-' : kind[i];
	out[i] = '\0';
	return out;
}

static void message(struct lp_json *j, const char *name, const char *text)
{
	lp_json_begin(j, name, '{');
	lp_json_text(j, "text", text);
	lp_json_end(j);
}

/* A path as an address: what has a meaning there, or is not ASCII, as %XX. */
static void put_uri(struct lp_json *j, const struct lp_source_place *place)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
	char uri[3 * LP_PLACE_ROOM + 16];
	size_t used = (size_t)snprintf(uri, sizeof uri, "%s", place->relative ? "" : "file://");

	for (const char *s = place->path; *s; s++)
		used += (size_t)snprintf(uri + used, sizeof uri - used, strchr(plain, *s) ? "%c" : "%%%02X",
					 (unsigned char)*s);
	lp_json_text(j, "uri", uri);
}

static void put_place(struct lp_json *j, const struct lp_source_place *place)
{
	lp_json_begin(j, "physicalLocation", '{');
	lp_json_begin(j, "artifactLocation", '{');
	put_uri(j, place);
	if (place->relative)
		lp_json_text(j, "uriBaseId", "SRCROOT");
	lp_json_end(j);
	lp_json_begin(j, "region", '{');
	lp_json_number(j, "startLine", place->line);
	lp_json_end(j);
	lp_json_end(j);
}

/* A location: a place if it is known, a function, and what to say about it; each if there is
 * one. */
static void put_location(struct lp_json *j, const char *name, const struct lp_source_place *place,
			 const char *function, const char *text)
{
	lp_json_begin(j, name, '{');
	if (place)
		put_place(j, place);
	if (function) {
		lp_json_begin(j, "logicalLocations", '[');
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "name", function);
		lp_json_text(j, "kind", "function");
		lp_json_end(j);
		lp_json_end(j);
	}
	if (text)
		message(j, "message", text);
	lp_json_end(j);
}

/* A location of a flow. */
struct stop {
	const char *where, *function, *text;
	uint64_t order; /* counts the steps of all threads together, from 1 */
};

static void put_stop(struct lp_json *j, const struct lp_result *r, const struct stop *s, const char *root)
{
	struct lp_source_place place;
	const bool found = s->where && lp_place_find(r, s->where, root, &place);

	lp_json_begin(j, NULL, '{');
	put_location(j, "location", found ? &place : NULL, s->function, s->text);
	lp_json_number(j, "executionOrder", s->order);
	lp_json_end(j);
}

/* The steps of one thread, and the end if that is its doing. */
static void put_thread(struct lp_json *j, const struct lp_result *r, uint32_t thread,
		       const char *root)
{
	const struct lp_result_violation *v = r->violation;
	char text[LP_STEP_ROOM];

	lp_json_begin(j, NULL, '{');
	snprintf(text, sizeof text, "T%u", thread);
	lp_json_text(j, "id", text);
	lp_json_begin(j, "locations", '[');
	for (uint32_t i = 0; i < v->step_count; i++) {
		if (v->steps[i].thread != thread)
			continue;
		lp_step_words(text, r, i);
		put_stop(j, r, &(struct stop){ v->steps[i].where, v->steps[i].function, text, i + 1 }, root);
	}
	if (v->where && v->thread == thread)
		put_stop(j, r, &(struct stop){ v->where, v->function, r->kind ? r->kind : "stops here", v->step_count + 1 }, root);
	lp_json_end(j);
	lp_json_end(j);
}

/* Threads in the order of their first steps; one with nothing to show is left out. */
static void put_flows(struct lp_json *j, const struct lp_result *r, const char *root)
{
	const struct lp_result_violation *v = r->violation;
	bool end_shown = !v->where;

	if (!v->step_count && !v->where)
		return;
	lp_json_begin(j, "codeFlows", '[');
	lp_json_begin(j, NULL, '{');
	message(j, "message", "the execution: one flow a thread, steps in the order of executionOrder");
	lp_json_begin(j, "threadFlows", '[');
	for (uint32_t i = 0; i < v->step_count; i++) {
		const uint32_t thread = v->steps[i].thread;
		uint32_t first = 0;

		while (v->steps[first].thread != thread)
			first++;
		if (first == i)
			put_thread(j, r, thread, root);
		end_shown |= thread == v->thread;
	}
	if (!end_shown)
		put_thread(j, r, v->thread, root);
	lp_json_end(j);
	lp_json_end(j);
	lp_json_end(j);
}

static void put_related(struct lp_json *j, const struct lp_result *r, const char *root)
{
	struct lp_source_place place;

	if (!r->violation->other_where ||
	    !lp_place_find(r, r->violation->other_where, root, &place))
		return;
	lp_json_begin(j, "relatedLocations", '[');
	put_location(j, NULL, &place, NULL, "the other access");
	lp_json_end(j);
}

/* Can all edited lines be found? */
static bool can_be_edited(const struct lp_result *r, const struct lp_result_fix *f, const char *root)
{
	struct lp_source_place place;

	for (uint32_t i = 0; i < f->edit_count; i++)
		if (!lp_place_find(r, f->edits[i].where, root, &place))
			return false;
	return f->edit_count;
}

static void put_edit(struct lp_json *j, const struct lp_result_edit *e, unsigned long line)
{
	lp_json_begin(j, NULL, '{');
	lp_json_begin(j, "deletedRegion", '{');
	lp_json_number(j, "startLine", line);
	lp_json_number(j, "startColumn", e->column);
	lp_json_number(j, "endLine", line);
	lp_json_number(j, "endColumn", e->end);
	lp_json_end(j);
	message(j, "insertedContent", e->with);
	lp_json_end(j);
}

/* The edits of each file together; those of one file stand side by side. */
static void put_edits(struct lp_json *j, const struct lp_result *r, const struct lp_result_fix *f, const char *root)
{
	struct lp_source_place place, next;

	for (uint32_t i = 0; i < f->edit_count;) {
		lp_place_find(r, f->edits[i].where, root, &place);
		lp_json_begin(j, NULL, '{');
		lp_json_begin(j, "artifactLocation", '{');
		put_uri(j, &place);
		if (place.relative)
			lp_json_text(j, "uriBaseId", "SRCROOT");
		lp_json_end(j);
		lp_json_begin(j, "replacements", '[');
		for (; i < f->edit_count && lp_place_find(r, f->edits[i].where, root, &next) &&
		       !strcmp(place.path, next.path); i++)
			put_edit(j, &f->edits[i], next.line);
		lp_json_end(j);
		lp_json_end(j);
	}
}

static void put_fixes(struct lp_json *j, const struct lp_result *r, const char *root)
{
	bool any = false;

	for (uint32_t i = 0; i < r->fixes.count; i++) {
		const struct lp_result_fix *f = &r->fixes.at[i];
		if (!can_be_edited(r, f, root))
			continue;
		if (!any)
			lp_json_begin(j, "fixes", '[');
		any = true;
		lp_json_begin(j, NULL, '{');
		message(j, "description", f->text);
		lp_json_begin(j, "artifactChanges", '[');
		put_edits(j, r, f, root);
		lp_json_end(j);
		lp_json_end(j);
	}
	if (any)
		lp_json_end(j);
}

static enum rule rule_of_error(enum lp_error_kind error)
{
	return (enum rule)(error - 1); /* LP_ERROR_NONE comes before them */
}

static enum rule rule_of(const struct lp_result *r)
{
	if (r->verdict == LP_RESULT_INCONCLUSIVE)
		return RULE_INCONCLUSIVE;
	return r->error != LP_ERROR_NONE ? rule_of_error(r->error) : r->unexpected ? RULE_NOT_EXPECTED : RULES;
}

/* What a result is relative to. */
static void put_scope(struct lp_json *j, const struct lp_result *r)
{
	if (!r->question.scope_count)
		return;
	lp_json_begin(j, "properties", '{');
	lp_json_begin(j, "scope", '{');
	for (uint32_t i = 0; i < r->question.scope_count; i++)
		lp_json_text(j, r->question.scope[i].name, r->question.scope[i].value);
	lp_json_end(j);
	lp_json_end(j);
}

/* `kind` is the name of what has no rule. */
static void put_rule(struct lp_json *j, enum rule rule, const char *kind)
{
	char id[ID_ROOM];

	lp_json_text(j, "ruleId", rule_id(rule < RULES ? rules[rule].name : kind, id));
	if (rule < RULES)
		lp_json_number(j, "ruleIndex", rule);
}

/* A finding that the user ignores is a suppressed result: one object, with a comma before it if it is not the first. */
static void put_ignored(FILE *out, const struct lp_result *r, const struct lp_result_ignored *f, bool more, const char *root)
{
	struct lp_json j = lp_json_on(out);
	struct lp_source_place place;
	char text[256];

	snprintf(text, sizeof text, "%s, ignored: %s", lp_error_name(f->error), f->passed ? "the program continues after it" :
		 "what would follow it was not explored");
	if (more)
		fputc(',', out);
	lp_json_begin(&j, NULL, '{');
	put_rule(&j, rule_of_error(f->error), NULL);
	lp_json_text(&j, "level", "note");
	message(&j, "message", text);
	if (lp_place_find(r, f->where, root, &place) || lp_place_find(r, NULL, root, &place)) {
		lp_json_begin(&j, "locations", '[');
		put_location(&j, NULL, &place, NULL, NULL);
		lp_json_end(&j);
	}
	lp_json_begin(&j, "suppressions", '[');
	lp_json_begin(&j, NULL, '{');
	lp_json_text(&j, "kind", "external");
	lp_json_end(&j);
	lp_json_end(&j);
	put_scope(&j, r);
	lp_json_end(&j);
}

static void put_result(FILE *out, const struct lp_result *r, const char *root)
{
	struct lp_json j = lp_json_on(out);
	const bool violation = r->verdict == LP_RESULT_VIOLATION;
	struct lp_source_place place;
	char *text = lp_headline(r);
	lp_json_begin(&j, NULL, '{');
	put_rule(&j, rule_of(r), r->kind);
	lp_json_text(&j, "level", violation ? "error" : "warning");
	message(&j, "message", text);
	if (lp_place_find(r, r->violation ? r->violation->where : NULL, root, &place) ||
	    lp_place_find(r, NULL, root, &place)) {
		lp_json_begin(&j, "locations", '[');
		put_location(&j, NULL, &place, r->violation ? r->violation->function : NULL, NULL);
		lp_json_end(&j);
	}
	if (r->violation) {
		put_related(&j, r, root);
		put_flows(&j, r, root);
		put_fixes(&j, r, root);
	}
	put_scope(&j, r);
	lp_json_end(&j);
	lp_free(text);
}

void lp_sarif_result(FILE *out, const struct lp_result *r, const char *root)
{
	const bool any = r->verdict == LP_RESULT_VIOLATION || r->verdict == LP_RESULT_INCONCLUSIVE;

	if (any)
		put_result(out, r, root);
	for (uint32_t i = 0; i < r->question.ignored_count; i++)
		put_ignored(out, r, &r->question.ignored[i], any || i, root);
}

static void put_tool(struct lp_json *j, const char *version)
{
	char id[ID_ROOM];

	lp_json_begin(j, "tool", '{');
	lp_json_begin(j, "driver", '{');
	lp_json_text(j, "name", "linchpin");
	lp_json_text(j, "version", version);
	lp_json_begin(j, "rules", '[');
	for (uint32_t i = 0; i < RULES; i++) {
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "id", rule_id(rules[i].name, id));
		message(j, "shortDescription", rules[i].meaning);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_end(j);
	lp_json_end(j);
}

static void put_invocation(struct lp_json *j, const struct lp_sarif_log *log)
{
	lp_json_begin(j, "invocations", '[');
	lp_json_begin(j, NULL, '{');
	lp_json_bool(j, "executionSuccessful", !log->error_count);
	lp_json_begin(j, "toolExecutionNotifications", '[');
	for (uint32_t i = 0; i < log->error_count; i++) {
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "level", "error");
		message(j, "message", log->errors[i]);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_end(j);
	lp_json_end(j);
}

/* Paths are relative to a folder of this machine, for which readers on other machines substitute their own. */
static void put_root(struct lp_json *j, const char *root)
{
	struct lp_source_place place = { .relative = false };

	snprintf(place.path, sizeof place.path, "%s%s", root, strcmp(root, "/") ? "/" : "");
	lp_json_begin(j, "originalUriBaseIds", '{');
	lp_json_begin(j, "SRCROOT", '{');
	put_uri(j, &place);
	lp_json_end(j);
	lp_json_end(j);
}

void lp_sarif_write(FILE *out, const struct lp_sarif_log *log)
{
	struct lp_json j = lp_json_on(out);

	lp_json_begin(&j, NULL, '{');
	lp_json_text(&j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	lp_json_text(&j, "version", "2.1.0");
	lp_json_begin(&j, "runs", '[');
	lp_json_begin(&j, NULL, '{');
	put_tool(&j, log->version);
	put_invocation(&j, log);
	put_root(&j, log->root);
	lp_json_text(&j, "columnKind", "unicodeCodePoints");
	lp_json_begin(&j, "results", '[');
	for (uint32_t i = 0; i < log->result_count; i++)
		if (log->results[i] && log->results[i][0])
			lp_json_ready(&j, NULL, log->results[i]);
	lp_json_end(&j);
	lp_json_end(&j);
	lp_json_end(&j);
	lp_json_end(&j);
	fputc('\n', out);
}
