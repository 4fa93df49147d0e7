/* study_answer.c -- the answer of linchpin for a row of a study.
 *
 * The answer is one JSON object on one line, written by report/formats/json.h; if the run crashed it may be
 * incomplete.  Members are looked up by name, level by level, and malformed parts are treated as missing.
 */
#include "cli/study/study_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Past the closing quote; `at` is behind the opening one. */
static const char *skip_text(const char *at)
{
	for (; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : at;
}

/* Past a value of any sort. */
static const char *skip_value(const char *at)
{
	unsigned depth = 0;

	do {
		if (*at == '"') {
			at = skip_text(at + 1);
			continue;
		}
		if (*at == '{' || *at == '[')
			depth++;
		else if ((*at == '}' || *at == ']') && !depth--)
			return at; /* the end of what the value is in */
		else if (*at == ',' && !depth)
			return at;
		at += *at != '\0';
	} while (*at && (depth || (*at != ',' && *at != '}' && *at != ']')));
	return at;
}

/* The value of a member of the object, or NULL. */
static const char *member(const char *object, const char *name)
{
	const size_t length = strlen(name);

	if (!object || *object != '{')
		return NULL;
	for (const char *at = object + 1; *at == '"';) {
		const char *key = at + 1;
		const char *after = skip_text(key);
		if (*after != ':')
			return NULL;
		if ((size_t)(after - key) == length + 1 && !strncmp(key, name, length))
			return after + 1;
		at = skip_value(after + 1);
		at += *at == ',';
	}
	return NULL;
}

/* The names and texts that are wanted have nothing in them that needs an escape. */
static void get_text(const char *value, char *out, size_t size)
{
	out[0] = '\0';
	if (value && *value == '"')
		snprintf(out, size, "%.*s", (int)(skip_text(value + 1) - value - 2), value + 1);
}

static uint64_t get_number(const char *value)
{
	return value ? strtoull(value, NULL, 10) : 0;
}

void lp_study_answer_read(struct lp_study_answer *a, const char *json)
{
	const char *violation = member(json, "violation");

	get_text(member(json, "verdict"), a->verdict, sizeof a->verdict);
	get_text(member(json, "kind"), a->kind, sizeof a->kind);
	if (!strcmp(a->verdict, "error"))
		get_text(member(json, "text"), a->text, sizeof a->text);
	if (!strcmp(a->verdict, "inconclusive"))
		get_text(member(json, "reason"), a->text, sizeof a->text);
	if (!a->verdict[0])
		snprintf(a->verdict, sizeof a->verdict, "none");
	a->executions = get_number(member(json, "executions"));
	a->states = get_number(member(json, "states"));
	const char *figure = member(json, "figure");
	a->figure = figure ? strtod(figure, NULL) : 0;
	a->calls = get_number(member(member(violation, "client"), "size"));
	const char *scope = member(json, "scope");
	char clients[64], transitions[64];
	get_text(member(scope, "clients"), clients, sizeof clients);
	get_text(member(scope, "transitions"), transitions, sizeof transitions);
	a->transitions = strtoull(transitions, NULL, 10);
	a->schedules = strstr(clients, " schedules of ") ? strtoull(clients, NULL, 10) : 0;
}

bool lp_study_answer_is_expected(const struct lp_study_answer *a, const struct lp_study_row *row)
{
	const char *kind = row->at[LP_STUDY_KIND], *calls = row->at[LP_STUDY_CALLS];

	return !strcmp(a->verdict, row->at[LP_STUDY_VERDICT]) &&
	       (!kind || !strcmp(a->kind, kind)) &&
	       (!calls || a->calls == strtoull(calls, NULL, 10));
}
