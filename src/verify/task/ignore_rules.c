/* ignore_rules.c -- parses the arguments of --only and --ignore. */
#include "verify/task/ignore_rules.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "frontend/compile/binary.h"

enum { ROOM = 256 }; /* of a rule */

struct reader {
	struct lp_finding_rules *rules;
	const char *option;   /* "--ignore" */
	bool ignore;
	struct lp_arena *arena;
	const char *file;     /* the file of the findings, or NULL */
	unsigned line;        /* the place of the findings in that file */
	struct lp_error *error;
};

/* "--ignore: there is no kind 'leek'"; "judged.txt:3: ...". */
__attribute__((format(printf, 2, 3))) static bool refuse(const struct reader *r, const char *format, ...)
{
	char text[2 * ROOM];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return r->file ? lp_fail(r->error, "%s:%u: %s", r->file, r->line, text) : lp_fail(r->error, "%s: %s", r->option, text);
}

static bool is_called(const char *name, const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (word[i] != name[i] && !(word[i] == '-' && name[i] == ' '))
			return false;
	return !name[length];
}

static bool take_kind(const struct reader *r, const char *word, size_t length, enum lp_error_kind *out)
{
	struct lp_nearest nearest = { .word = word, .length = length };
	char name[ROOM];

	*out = LP_ERROR_NONE;
	if (length == 1 && *word == '*')
		return true;
	for (int k = LP_ERROR_NONE + 1; k < LP_ERROR_KINDS; k++) {
		if (is_called(lp_error_name((enum lp_error_kind)k), word, length))
			*out = (enum lp_error_kind)k;
		lp_nearest_offer(&nearest, lp_error_name((enum lp_error_kind)k), strlen(lp_error_name((enum lp_error_kind)k)));
	}
	snprintf(name, sizeof name, "%.*s", (int)length, word);
	if (*out == LP_ERROR_NONE) {
		refuse(r, "there is no kind '%s' of findings", name);
		return lp_nearest_hint(&nearest, r->error);
	}
	if (r->ignore && *out == LP_ERROR_RACE) {
		refuse(r, "a '%s' cannot be ignored: what follows it has no meaning", name);
		snprintf(r->error->hint, sizeof r->error->hint, "`--races ignore`, under sc and tso, has plain accesses interleave");
		return false;
	}
	return !r->ignore || lp_is_ignorable(*out) || refuse(r, "'%s' cannot be ignored", name);
}

/* "ring.c:42", "ring.c", "push" */
static bool take_place(const struct reader *r, const char *place, struct lp_finding_rule *rule)
{
	const char *colon = strrchr(place, ':');
	char *end = NULL;

	if (!*place)
		return refuse(r, "a place is expected after '@'");
	if (colon && isdigit((unsigned char)colon[1])) {
		errno = 0;
		const unsigned long line = strtoul(colon + 1, &end, 10);
		if (*end || errno || !line || line > UINT32_MAX || colon == place)
			return refuse(r, "'%s' is not FILE:LINE", place);
		rule->line = (uint32_t)line;
		char *file = lp_arena_strdup(r->arena, place);
		file[colon - place] = '\0';
		rule->file = file;
	} else if (strpbrk(place, "./")) {
		rule->file = lp_arena_strdup(r->arena, place);
	} else if (strstr(place, "::")) {
		return refuse(r, "'%s': functions are named without their classes and namespaces", place);
	} else {
		rule->function = lp_arena_strdup(r->arena, place);
	}
	return true;
}

static bool take_rules(struct reader *r, const char *text);

/* The lines of a file, without comments. */
static bool take_file(const struct reader *r, const char *name)
{
	struct reader inner = *r;
	size_t size;
	char *text = r->file ? NULL : lp_binary_read(name, &size);

	if (r->file)
		return refuse(r, "'@%s': a file in a file", name);
	if (!text)
		return refuse(r, "cannot read '%s'", name);
	inner.file = name;
	bool good = true;
	for (char *line = text; good && line;) {
		char *next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line[strcspn(line, "#")] = '\0';
		inner.line++;
		good = take_rules(&inner, line);
		line = next;
	}
	lp_free(text);
	return good;
}

static bool take_rule(struct reader *r, const char *word, size_t length)
{
	struct lp_finding_rule rule = { .kind = LP_ERROR_NONE };
	char text[ROOM];

	snprintf(text, sizeof text, "%.*s", (int)length, word);
	if (length >= sizeof text)
		return refuse(r, "'%.40s...' is too long", text);
	const char *at = strchr(text, '@');
	if (at == text)
		return take_file(r, text + 1);
	if (!take_kind(r, text, at ? (size_t)(at - text) : length, &rule.kind) || (at && !take_place(r, at + 1, &rule)))
		return false;
	if (r->ignore && rule.kind == LP_ERROR_NONE && !at)
		return refuse(r, "'%s' would ignore everything: name a place", text);
	LP_PUSH(r->rules, rule);
	return true;
}

/* Those between commas; blanks around them do not matter, and in files neither do empty ones. */
static bool take_rules(struct reader *r, const char *text)
{
	for (;;) {
		size_t length = strcspn(text, ",");
		const char *next = text[length] ? text + length + 1 : NULL;

		while (length && isspace((unsigned char)*text))
			text++, length--;
		while (length && isspace((unsigned char)text[length - 1]))
			length--;
		if (!length && !r->file)
			return refuse(r, "a kind is expected");
		if (length && !take_rule(r, text, length))
			return false;
		if (!next)
			return true;
		text = next;
	}
}

bool lp_ignore_rules_parse(struct lp_finding_rules *rules, const char *text, bool ignore, struct lp_arena *arena,
			   struct lp_error *error)
{
	struct reader r = { .rules = rules, .option = ignore ? "--ignore" : "--only", .ignore = ignore, .arena = arena,
			    .error = error };

	return take_rules(&r, text);
}
