/* spec.c -- the table of built-in kinds; names and parameters; states. */
#include "spec/spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "spec/traits.h"

static const struct lp_builtin *const builtins[] = {
#define LP_KIND(name) &lp_kind_##name,
#include "spec/kinds.def"
#undef LP_KIND
};

uint32_t lp_kind_count(void)
{
	return sizeof builtins / sizeof *builtins;
}

const struct lp_kind *lp_kind_at(uint32_t index)
{
	return &builtins[index]->kind;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_filler(char c)
{
	return c == '-' || c == '_';
}

/* Do the two words agree, but for case, '-' and '_'? */
static bool same_word(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t i = 0, j = 0;

	for (;;) {
		while (i < a_length && is_filler(a[i]))
			i++;
		while (j < b_length && is_filler(b[j]))
			j++;
		if (i == a_length || j == b_length)
			return i == a_length && j == b_length;
		if (lower(a[i++]) != lower(b[j++]))
			return false;
	}
}

/* Is `word` in `words`, a list separated by spaces? */
static bool is_listed(const char *words, const char *word, size_t length)
{
	while (*words) {
		const size_t size = strcspn(words, " ");
		if (same_word(word, length, words, size))
			return true;
		words += size + (words[size] == ' ');
	}
	return false;
}

static const struct lp_kind *kind_named(const char *name, size_t length)
{
	for (uint32_t i = 0; i < lp_kind_count(); i++)
		if (is_listed(builtins[i]->kind.name, name, length) ||
		    (builtins[i]->aliases && is_listed(builtins[i]->aliases, name, length)))
			return &builtins[i]->kind;
	return NULL;
}

const struct lp_kind *lp_kind_named(const char *name)
{
	return kind_named(name, strlen(name));
}

bool lp_kind_refuse(const char *text, struct lp_error *error)
{
	struct lp_nearest nearest = { .word = text, .length = strcspn(text, ":") };

	for (uint32_t i = 0; i < lp_kind_count(); i++)
		lp_nearest_offer(&nearest, lp_kind_at(i)->name, strlen(lp_kind_at(i)->name));
	lp_fail(error, "there is no specification '%.*s'", (int)nearest.length, text);
	if (error)
		snprintf(error->hint, sizeof error->hint, "'linchpin specs' lists the kinds");
	return lp_nearest_hint(&nearest, error);
}

int lp_spec_param(const struct lp_spec *spec, const char *name)
{
	for (uint32_t i = 0; i < spec->kind->param_count; i++)
		if (!strcmp(spec->kind->params[i].name, name))
			return (int)i;
	return -1;
}

int64_t lp_spec_value(const struct lp_spec *spec, const char *name)
{
	const int at = lp_spec_param(spec, name);

	return at < 0 ? 0 : spec->param[at];
}

/* Parses one `name`, `name=number` or `name=nil`. */
static bool parse_param(struct lp_spec *spec, const char *text, size_t length,
			struct lp_error *error)
{
	char word[64];

	if (length >= sizeof word)
		return lp_fail(error, "'%.*s...' is no parameter of %s", 20, text, spec->kind->name);
	memcpy(word, text, length);
	word[length] = '\0';

	char *value = strchr(word, '=');
	if (value)
		*value++ = '\0';
	const int at = lp_spec_param(spec, word);
	if (at < 0) {
		struct lp_nearest nearest = { .word = word, .length = strlen(word) };
		for (uint32_t i = 0; i < spec->kind->param_count; i++)
			lp_nearest_offer(&nearest, spec->kind->params[i].name, strlen(spec->kind->params[i].name));
		lp_fail(error, "%s has no parameter '%s'", spec->kind->name, word);
		return lp_nearest_hint(&nearest, error);
	}
	if (!value) {
		spec->param[at] = 1;
	} else if (!strcmp(value, "nil")) {
		spec->param[at] = LP_NIL;
	} else {
		char *end;
		errno = 0;
		spec->param[at] = strtoll(value, &end, 10);
		if (end == value || *end || errno || spec->param[at] < LP_LOWEST)
			return lp_fail(error, "parameter '%s' of %s needs a number, not '%s'", word,
				       spec->kind->name, value);
	}
	spec->given[at] = true;
	return true;
}

/* Each of these parameters says what a call does if it finds nothing, or no room.  So only one of them may be
 * given. */
static bool leniency_fits(const struct lp_spec *spec, struct lp_error *error)
{
	static const char *const names[] = { "weak", "contended", "failing", "blocking", "synchronous" };
	const char *other = NULL;

	if (!lp_kind_is_builtin(spec->kind))
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!lp_spec_value(spec, names[i]))
			continue;
		if (other && strcmp(other, "blocking"))
			return lp_fail(error, "parameters '%s' and '%s' of %s exclude each other", other, names[i],
				       spec->kind->name);
		other = names[i];
	}
	return true;
}

bool lp_spec_of(struct lp_spec *spec, const struct lp_kind *kind, const char *params,
		struct lp_error *error)
{
	*spec = (struct lp_spec){ .kind = kind };
	for (uint32_t i = 0; i < kind->param_count; i++)
		spec->param[i] = kind->params[i].fallback;
	while (params && *params) {
		const size_t length = strcspn(params, ",");
		if (!parse_param(spec, params, length, error))
			return false;
		params += length + (params[length] == ',');
	}
	for (uint32_t i = 0; i < kind->param_count; i++)
		if (spec->param[i] < 0 && strcmp(kind->params[i].name, "init"))
			return lp_fail(error, "parameter '%s' of %s is not below 0",
				       kind->params[i].name, kind->name);
	if (!leniency_fits(spec, error))
		return false;
	const int n = lp_spec_param(spec, "n");
	if (n >= 0 && (spec->param[n] < 1 || spec->param[n] > 64))
		return lp_fail(error, "parameter 'n' of %s is 1 to 64", kind->name);
	return true;
}

bool lp_spec_parse(struct lp_spec *spec, const char *text, struct lp_error *error)
{
	const size_t length = strcspn(text, ":");
	const struct lp_kind *kind = kind_named(text, length);

	if (!kind)
		return lp_kind_refuse(text, error);
	return lp_spec_of(spec, kind, text[length] ? text + length + 1 : NULL, error);
}

uint32_t lp_method_named(const struct lp_kind *kind, const char *name, size_t length)
{
	for (uint32_t i = 0; i < kind->method_count; i++)
		if (is_listed(kind->methods[i].names, name, length))
			return i;
	return LP_NO_METHOD;
}

const char *lp_method_name(const struct lp_method *method, char *text)
{
	size_t length = strcspn(method->names, " ");

	if (length > 31)
		length = 31;
	memcpy(text, method->names, length);
	text[length] = '\0';
	return text;
}

static void grow(struct lp_state *s, uint32_t room)
{
	s->room = room < 8 ? 8 : room * 2;
	s->at = lp_realloc(s->at, sizeof *s->at * s->room);
}

void lp_state_open(struct lp_state *s)
{
	*s = (struct lp_state){ .grow = grow };
	grow(s, 8); /* `at` is never NULL: user code may lay a struct over it */
}

void lp_state_close(struct lp_state *s)
{
	lp_free(s->at);
	*s = (struct lp_state){ 0 };
}

void lp_state_begin(struct lp_state *s, const struct lp_spec *spec)
{
	s->count = 0;
	if (spec->kind->begin)
		spec->kind->begin(s, spec->param);
}

void lp_state_copy(struct lp_state *to, const struct lp_state *from)
{
	if (to->room < from->count)
		to->grow(to, from->count);
	memcpy(to->at, from->at, sizeof *to->at * from->count);
	to->count = from->count;
}

bool lp_state_equal(const struct lp_state *a, const struct lp_state *b)
{
	return a->count == b->count && !memcmp(a->at, b->at, sizeof *a->at * a->count);
}

enum lp_answer lp_spec_step(const struct lp_spec *spec, uint32_t method,
			    struct lp_state *s, struct lp_spec_call *call)
{
	call->param = spec->param;
	return spec->kind->methods[method].step(s, call);
}

bool lp_spec_is_settled(const struct lp_spec *spec, const struct lp_state *s)
{
	return !spec->kind->settled || spec->kind->settled(s, spec->param);
}

char *lp_spec_grammar(const struct lp_spec *spec)
{
	const struct lp_traits *traits = lp_kind_traits(spec->kind);

	return traits->grammar ? traits->grammar(spec->param) : NULL;
}

/* Among the built-in kinds, only synchronous ones have meetings. */
bool lp_spec_has_meetings(const struct lp_spec *spec)
{
	const int synchronous = lp_spec_param(spec, "synchronous");

	return spec->kind->settled && (synchronous < 0 || spec->param[synchronous]);
}

bool lp_spec_uses_overlap(const struct lp_spec *spec)
{
	const uint32_t params = lp_kind_traits(spec->kind)->overlap_params;

	for (uint32_t i = 0; i < spec->kind->param_count; i++)
		if (params >> i & 1 && spec->param[i])
			return true;
	return spec->kind->overlaps;
}

bool lp_spec_is_lenient(const struct lp_spec *spec)
{
	return lp_spec_uses_overlap(spec) || (lp_kind_is_builtin(spec->kind) && lp_spec_value(spec, "failing"));
}

bool lp_spec_only_contended(const struct lp_spec *spec)
{
	const int contended = lp_spec_param(spec, "contended");
	struct lp_spec other = *spec;

	if (contended < 0 || !spec->param[contended] || !lp_spec_uses_overlap(spec))
		return false;
	other.param[contended] = 0;
	return !lp_spec_uses_overlap(&other);
}

bool lp_spec_refuse_overlap(const struct lp_spec *spec, const char *what, struct lp_error *error)
{
	return !lp_spec_uses_overlap(spec) ||
	       lp_fail(error, "%s: not for a %s whose failures may be explained by calls that overlap", what, spec->kind->name);
}

bool lp_method_failed(const struct lp_kind *kind, uint32_t method, const struct lp_spec_call *c)
{
	const struct lp_method *m = &kind->methods[method];

	if (!c->result || c->results != 1)
		return false;
	if (m->result == LP_VALUE_OR_EMPTY)
		return c->result[0] == LP_EMPTY;
	if (lp_kind_verb(kind, method) == LP_VERB_IS_EMPTY)
		return c->result[0] == 1;
	return (m->result == LP_SUCCESS || m->result == LP_TRUTH) && (m->roles & LP_READS) != LP_READS && !c->result[0];
}

bool lp_spec_waits(const struct lp_spec *spec, uint32_t method, const struct lp_state *s,
		   const struct lp_spec_call *call)
{
	struct lp_spec_call copy = *call;
	struct lp_state next;

	lp_state_open(&next);
	lp_state_copy(&next, s);
	const enum lp_answer answer = lp_spec_step(spec, method, &next, &copy);
	const bool waits = answer == LP_BLOCKS ||
			   (answer == LP_ACCEPTS && !lp_spec_is_settled(spec, &next));
	lp_state_close(&next);
	return waits;
}
