/* harness.c -- parses and checks an object's harness (linchpin.h). */
#include "verify/harness.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/tuples.h"
#include "linchpin.h"
#include "spec/spec.h"
#include "spec/traits.h"

#define NO_METHOD UINT32_MAX

uint32_t lp_harness_method(const struct lp_harness *h, const char *name, size_t length)
{
	for (uint32_t i = 0; i < h->methods.count; i++)
		if (strlen(h->methods.at[i].name) == length &&
		    !memcmp(h->methods.at[i].name, name, length))
			return i;
	return NO_METHOD;
}

const struct lp_kind *lp_harness_kind(const struct lp_harness *h)
{
	return h->spec->kind;
}

bool lp_harness_has_rules(const struct lp_harness *h)
{
	for (uint32_t m = 0; m < h->methods.count; m++)
		if (h->methods.at[m].role || h->methods.at[m].needs)
			return true;
	return false;
}

const char *lp_harness_gives_several(const struct lp_harness *h)
{
	for (uint32_t m = 0; m < h->methods.count; m++)
		if (h->spec->kind->methods[h->methods.at[m].spec_method].result == LP_VALUES)
			return h->methods.at[m].name;
	return NULL;
}

bool lp_harness_has_own_spec(const struct lp_harness_entry *const *entries, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (entries[i]->kind == LP_HARNESS_OWN_SPEC)
			return true;
	return false;
}

/* Puts the place in the harness before the message. */
static bool located(const struct lp_harness_entry *e, struct lp_error *error)
{
	const struct lp_error what = *error;

	snprintf(error->text, sizeof error->text, "%s:%d: %.*s", e->file, e->line, (int)sizeof error->text / 2, what.text);
	return false;
}

static bool is_spec(const struct lp_harness_entry *e)
{
	return e->kind == LP_HARNESS_SPEC || e->kind == LP_HARNESS_OWN_SPEC;
}

bool lp_harness_has_spec(const struct lp_harness_entry *const *entries, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (is_spec(entries[i]))
			return true;
	return false;
}

/* The entry that names the specification; NULL, with the error, if none does, or two do. */
static const struct lp_harness_entry *spec_entry(const struct lp_harness_entry *const *entries, uint32_t count,
						 struct lp_error *error)
{
	const struct lp_harness_entry *found = NULL;

	for (uint32_t i = 0; i < count; i++) {
		if (!is_spec(entries[i]))
			continue;
		if (found) {
			lp_fail(error, "a second specification; the first one is at %s:%d", found->file, found->line);
			located(entries[i], error);
			return NULL;
		}
		found = entries[i];
	}
	if (!found) {
		lp_fail(error, "the harness names no specification");
		snprintf(error->hint, sizeof error->hint,
			 "LP_SPEC(\"queue\") in the file, or --spec queue; `linchpin specs` lists them");
	}
	return found;
}

/* `spec` is that of the command line, or NULL. */
static bool find_spec(struct lp_harness *h, const struct lp_harness_entry *const *entries,
		      uint32_t count, const struct lp_kind *own, const char *spec,
		      struct lp_error *error)
{
	if (!spec && own && !lp_harness_has_spec(entries, count)) {
		h->anonymous = true;
		h->spec_text = own->name;
		return lp_spec_of(h->spec, own, NULL, error);
	}
	const struct lp_harness_entry *e = spec ? NULL : spec_entry(entries, count, error);

	if (!spec && !e)
		return false;
	if (e && e->kind == LP_HARNESS_OWN_SPEC) {
		h->own = true;
		h->spec_text = own->name ? own->name : e->text;
		return lp_spec_of(h->spec, own, NULL, error);
	}
	h->spec_text = spec ? spec : e->text;
	return lp_spec_parse(h->spec, h->spec_text, error) || (e && located(e, error));
}

static bool unknown(const struct lp_kind *kind, const char *name, struct lp_error *error)
{
	char known[256] = "", word[32];
	struct lp_nearest nearest = { .word = name, .length = strlen(name) };
	size_t used = 0;

	for (uint32_t i = 0; i < kind->method_count && used < sizeof known; i++) {
		lp_method_name(&kind->methods[i], word);
		lp_nearest_offer(&nearest, word, strlen(word));
		const int wrote = snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", word);
		used += wrote > 0 ? (size_t)wrote : 0;
	}
	lp_fail(error, "the specification '%s' has no method '%s' (it has %s)", kind->name, name, known);
	return lp_nearest_hint(&nearest, error);
}

/* Does the specification only pass values on: does it store every argument unchanged, until a removal returns it?
 * Then no result depends on whether two values are equal. */
static bool passes_on(const struct lp_kind *kind)
{
	bool removes = false;

	for (uint32_t i = 0; i < kind->method_count; i++) {
		const struct lp_method *m = &kind->methods[i];
		removes |= (m->roles & LP_REMOVES) != 0;
		if (m->args && (m->args > 1 || !(m->roles & LP_INSERTS) || m->result == LP_TRUTH))
			return false;
	}
	return removes;
}

/* Are there methods that compare values, besides keys? */
static bool compares_values(const struct lp_harness *h)
{
	for (uint32_t i = 0; i < h->methods.count; i++) {
		const struct lp_method *m = &h->spec->kind->methods[h->methods.at[i].spec_method];
		if (m->roles & LP_REPLACES && m->result == LP_TRUTH)
			return true;
	}
	return false;
}

bool lp_harness_compares_initial(const struct lp_harness *h)
{
	const struct lp_kind *kind = h->spec->kind;

	return !h->anonymous && !kind->by_key && kind->data == LP_DATA_EQUALITY && !passes_on(kind);
}

/* Returns what an implementation of the specification may do with an argument. */
static enum lp_arg_mode default_mode(const struct lp_harness *h, uint32_t arg)
{
	const struct lp_kind *kind = h->spec->kind;

	if (h->anonymous) /* nothing is known about it */
		return LP_ARG_ORDERED;
	if (kind->by_key && arg == 0) /* lists and trees compare keys */
		return LP_ARG_ORDERED;
	if (kind->by_key)
		return compares_values(h) ? LP_ARG_EQUAL : LP_ARG_OPAQUE;
	switch (kind->data) {
	case LP_DATA_ORDER: /* of a score and an item, the item is passed on */
		return arg && lp_kind_traits(kind)->pairs ? LP_ARG_OPAQUE : LP_ARG_ORDERED;
	case LP_DATA_EQUALITY:
		return passes_on(kind) ? LP_ARG_OPAQUE : LP_ARG_EQUAL;
	case LP_DATA_NONE:
		break;
	}
	return LP_ARG_FIXED;
}

static bool add_method(struct lp_harness *h, const struct lp_harness_entry *e,
		       struct lp_error *error)
{
	const uint32_t found = lp_method_named(h->spec->kind, e->text, strlen(e->text));
	struct lp_harness_method m = { .name = e->text, .body = e->body, .args = (uint32_t)e->args,
				       .spec_method = found, .value = { 1 }, .values = 1 };

	if (m.args > LP_CLIENT_ARGS)
		return lp_fail(error, "%s has %u arguments: a method has %d at most", e->text, m.args, LP_CLIENT_ARGS);
	if (found == LP_NO_METHOD)
		return unknown(h->spec->kind, e->text, error);
	if (h->spec->kind->methods[found].args != m.args)
		return lp_fail(error, "%s of '%s' takes %u argument%s, not %u", e->text,
			       h->spec->kind->name, h->spec->kind->methods[found].args,
			       h->spec->kind->methods[found].args == 1 ? "" : "s", m.args);
	if (h->spec->kind->methods[found].result == LP_VALUES && (h->spec->kind->methods[found].roles & LP_WHOLE))
		return lp_fail(error, "%s of '%s' is for recorded histories: a call of a client returns one value",
			       e->text, h->spec->kind->name);
	if (lp_harness_method(h, e->text, strlen(e->text)) != NO_METHOD)
		return lp_fail(error, "there are two methods '%s'", e->text);
	LP_PUSH(&h->methods, m);
	return true;
}

/* The next word of a text; its length is 0 at the end. */
static const char *word(const char *text, size_t *length)
{
	while (isspace((unsigned char)*text))
		text++;
	*length = strcspn(text, " \t\n");
	return text;
}

static bool add_role(struct lp_harness *h, const struct lp_harness_entry *e,
		     struct lp_error *error)
{
	size_t length;

	h->roles++;
	for (const char *w = word(e->text, &length); length; w = word(w + length, &length)) {
		const uint32_t m = lp_harness_method(h, w, length);
		if (m == NO_METHOD)
			return lp_fail(error, "LP_ROLE names '%.*s', which is not a method", (int)length, w);
		h->methods.at[m].role = h->roles;
	}
	return true;
}

static bool add_need(struct lp_harness *h, const struct lp_harness_entry *e,
		     struct lp_error *error)
{
	size_t length[2];
	const char *w[2];
	uint32_t m[2];

	w[0] = word(e->text, &length[0]);
	w[1] = word(w[0] + length[0], &length[1]);
	for (int i = 0; i < 2; i++) {
		m[i] = lp_harness_method(h, w[i], length[i]);
		if (m[i] == NO_METHOD)
			return lp_fail(error, "LP_AFTER names '%.*s', which is not a method", (int)length[i], w[i]);
	}
	struct lp_harness_method *method = &h->methods.at[m[0]];
	if (method->needs == LP_HARNESS_NEEDS)
		return lp_fail(error, "too many LP_AFTER for '%s'", method->name);
	method->need[method->needs++] =
		(struct lp_harness_need){ m[1], e->kind == LP_HARNESS_AFTER_TRUE };
	return true;
}

static bool set_mode(struct lp_harness *h, uint32_t method, enum lp_arg_mode mode)
{
	for (uint32_t i = 0; i < h->methods.count; i++)
		for (uint32_t a = 0; a < LP_CLIENT_ARGS; a++)
			if (method == NO_METHOD || method == i)
				h->methods.at[i].mode[a] = mode;
	return true;
}

/* "opaque", "1 2 3", "insert ordered". */
static bool add_args(struct lp_harness *h, const struct lp_harness_entry *e,
		     struct lp_error *error)
{
	static const char *const modes[] = { "opaque", "equal", "ordered" };
	size_t length;
	const char *w = word(e->text, &length);
	const uint32_t method = lp_harness_method(h, w, length);

	if (method != NO_METHOD)
		w = word(w + length, &length);
	for (unsigned i = 0; i < 3; i++)
		if (length == strlen(modes[i]) && !memcmp(w, modes[i], length))
			return set_mode(h, method, (enum lp_arg_mode)i);
	struct lp_harness_method fixed = { .values = 0 };
	for (; length; w = word(w + length, &length)) {
		char *end;
		const long long value = strtoll(w, &end, 0);
		if (end != w + length)
			return lp_fail(error, "LP_ARGS: '%.*s' is neither a method, nor opaque, "
				       "equal or ordered, nor a number", (int)length, w);
		if (fixed.values == LP_HARNESS_VALUES)
			return lp_fail(error, "LP_ARGS: more than %d values", LP_HARNESS_VALUES);
		fixed.value[fixed.values++] = value;
	}
	if (!fixed.values)
		return lp_fail(error, "LP_ARGS is empty");
	for (uint32_t i = 0; i < h->methods.count; i++) {
		if (method != NO_METHOD && method != i)
			continue;
		memcpy(h->methods.at[i].value, fixed.value, sizeof fixed.value);
		h->methods.at[i].values = fixed.values;
	}
	return set_mode(h, method, LP_ARG_FIXED);
}

static bool add_rest(struct lp_harness *h, const struct lp_harness_entry *e,
		     struct lp_error *error)
{
	switch ((enum lp_harness_kind)e->kind) {
	case LP_HARNESS_PRE:
		return lp_harness_calls(h, e->text, &h->pre, error);
	case LP_HARNESS_ROLE:
		return add_role(h, e, error);
	case LP_HARNESS_AFTER:
	case LP_HARNESS_AFTER_TRUE:
		return add_need(h, e, error);
	case LP_HARNESS_ARGS:
		return add_args(h, e, error);
	case LP_HARNESS_GC:
		h->gc = true;
		break;
	case LP_HARNESS_TEARDOWN:
		LP_PUSH(&h->teardowns, e->body);
		break;
	case LP_HARNESS_INVARIANT:
		LP_PUSH(&h->invariants, e->body);
		break;
	case LP_HARNESS_PROPOSITION:
		LP_PUSH(&h->propositions, ((struct lp_harness_proposition){ e->text, e->body }));
		break;
	case LP_HARNESS_SPEC:
	case LP_HARNESS_OWN_SPEC:
	case LP_HARNESS_SETUP:
	case LP_HARNESS_METHOD:
		break;
	}
	return true;
}

static int by_line(const void *a, const void *b)
{
	const struct lp_harness_entry *const *x = a, *const *y = b;
	return ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

static bool inserts(const struct lp_harness *h, uint32_t m)
{
	return h->spec->kind->methods[h->methods.at[m].spec_method].roles & LP_INSERTS;
}

/* Insertions come first.  Threads are explored in this order, so that calls which wait for a value find one. */
static void put_inserters_first(struct lp_harness *h)
{
	uint32_t first = 0;

	for (uint32_t m = 0; m < h->methods.count; m++) {
		if (!inserts(h, m))
			continue;
		const struct lp_harness_method inserter = h->methods.at[m];
		memmove(&h->methods.at[first + 1], &h->methods.at[first],
			sizeof inserter * (m - first));
		h->methods.at[first++] = inserter;
	}
}

/* The first argument of a write to a snapshot, or a similar object, is one of its n components.  If there are too many
 * to try, LP_ARGS must name some. */
static void name_components(struct lp_harness *h)
{
	const int n = lp_spec_param(h->spec, "n");

	if (n < 0 || !lp_kind_traits(h->spec->kind)->indexed)
		return;
	for (uint32_t i = 0; i < h->methods.count; i++) {
		struct lp_harness_method *m = &h->methods.at[i];
		if (!m->args)
			continue;
		m->mode[0] = LP_ARG_FIXED;
		m->values = 0;
		for (; h->spec->param[n] <= LP_HARNESS_VALUES && m->values < h->spec->param[n]; m->values++)
			m->value[m->values] = m->values;
	}
}

static bool are_valued(const struct lp_harness *h, struct lp_error *error)
{
	for (uint32_t i = 0; i < h->methods.count; i++)
		if (h->methods.at[i].args && h->methods.at[i].mode[0] == LP_ARG_FIXED && !h->methods.at[i].values)
			return lp_fail(error, "a %s of more than %d components: LP_ARGS must say which ones '%s' writes",
				       h->spec->kind->name, LP_HARNESS_VALUES, h->methods.at[i].name);
	return true;
}

static bool read_entries(struct lp_harness *h, const struct lp_harness_entry *const *entries,
			 uint32_t count, const struct lp_kind *own, const char *spec,
		     struct lp_error *error)
{
	if (!find_spec(h, entries, count, own, spec, error))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (entries[i]->kind == LP_HARNESS_METHOD && !add_method(h, entries[i], error))
			return located(entries[i], error);
	if (!h->methods.count) {
		lp_fail(error, "the harness has no methods");
		snprintf(error->hint, sizeof error->hint,
			 "LP_METHOD(enqueue, v) { ...; return LP_VOID; }; see linchpin.h");
		return false;
	}
	put_inserters_first(h);
	for (uint32_t i = 0; i < h->methods.count; i++)
		for (uint32_t a = 0; a < h->methods.at[i].args; a++)
			h->methods.at[i].mode[a] = default_mode(h, a);
	name_components(h);
	for (uint32_t i = 0; i < count; i++)
		if (!add_rest(h, entries[i], error))
			return located(entries[i], error);
	if (h->pre.count > LP_HARNESS_PRE_CALLS)
		return lp_fail(error, "LP_PRE: more than %d calls", LP_HARNESS_PRE_CALLS);
	return are_valued(h, error);
}

/* Compilers put entries into their section in any order. */
bool lp_harness_open(struct lp_harness *h, const struct lp_harness_entry *const *entries,
		     uint32_t count, const struct lp_kind *own, const char *spec,
		     struct lp_error *error)
{
	const struct lp_harness_entry **sorted = lp_alloc(sizeof *sorted * (count + 1));

	*h = (struct lp_harness){ .spec = lp_alloc_zero(1, sizeof *h->spec) };
	memcpy(sorted, entries, sizeof *sorted * count);
	qsort(sorted, count, sizeof *sorted, by_line);
	const bool good = read_entries(h, sorted, count, own, spec, error);
	lp_free(sorted);
	return good;
}

void lp_harness_close(struct lp_harness *h)
{
	lp_free(h->spec);
	lp_free(h->methods.at);
	lp_free(h->pre.at);
	lp_free(h->invariants.at);
	lp_free(h->propositions.at);
	lp_free(h->teardowns.at);
	*h = (struct lp_harness){ 0 };
}

/* ---- calls as text ---- */

static const char *blank(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

static bool parse_value(const char **at, int64_t *value)
{
	static const struct { const char *name; int64_t value; } words[] = {
		{ "true", 1 }, { "false", 0 }, { "empty", LP_EMPTY }, { "nil", LP_NIL },
	};
	char *end;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t length = strlen(words[i].name);
		if (!strncmp(*at, words[i].name, length)) {
			*at += length;
			*value = words[i].value;
			return true;
		}
	}
	*value = strtoll(*at, &end, 0);
	const bool any = end != *at;
	*at = end;
	return any;
}

bool lp_harness_calls(const struct lp_harness *h, const char *text, struct lp_harness_calls *calls,
		      struct lp_error *error)
{
	const char *at = blank(text);
	uint32_t thread = 1;
	int64_t fresh = 0;

	while (*at) {
		const size_t length = strcspn(at, "(;| \t\n");
		struct lp_harness_call call = { .thread = thread,
						.method = lp_harness_method(h, at, length) };
		uint32_t args = 0;
		if (call.method == NO_METHOD)
			return lp_fail(error, "'%s': there is no method '%.*s'", text, (int)length, at);
		const struct lp_harness_method *m = &h->methods.at[call.method];
		at = blank(at + length);
		if (*at == '(') {
			at = blank(at + 1);
			while (*at && *at != ')') {
				if (args == m->args || !parse_value(&at, &call.arg[args++]))
					return lp_fail(error, "'%s': %s takes %u argument%s", text, m->name,
						       m->args, m->args == 1 ? "" : "s");
				at = blank(at);
				if (*at == ',')
					at = blank(at + 1);
			}
			if (*at != ')')
				return lp_fail(error, "'%s': a ')' is missing", text);
			at = blank(at + 1);
		}
		if (args && args != m->args)
			return lp_fail(error, "'%s': %s takes %u arguments", text, m->name, m->args);
		for (; args < m->args; args++)
			call.arg[args] = ++fresh;
		LP_PUSH(calls, call);
		if (*at == '|')
			thread++;
		else if (*at && *at != ';')
			return lp_fail(error, "'%s': ';' or '|' expected at '%s'", text, at);
		if (*at)
			at = blank(at + 1);
	}
	if (!calls->count)
		return lp_fail(error, "'%s' has no calls", text);
	return true;
}

/* ---- calls for people ---- */

static int say_thrown(const struct lp_kind *kind, int64_t value, char *out, size_t size)
{
	for (uint32_t i = 0; i < kind->thrown_count; i++)
		if (kind->thrown[i].number == value)
			return snprintf(out, size, "throws %s", kind->thrown[i].name);
	return snprintf(out, size, "throws an exception");
}

static int say_value(int64_t value, char *out, size_t size)
{
	switch (value) {
	case LP_VOID:
		return snprintf(out, size, "nothing");
	case LP_EMPTY:
		return snprintf(out, size, "empty");
	case LP_FULL:
		return snprintf(out, size, "full");
	case LP_NIL:
		return snprintf(out, size, "nil");
	default:
		return snprintf(out, size, "%lld", (long long)value);
	}
}

const char *lp_harness_say_call(const struct lp_harness *h, uint32_t method, const int64_t *arg,
				char *out, size_t size)
{
	const struct lp_harness_method *m = &h->methods.at[method];
	size_t used = (size_t)snprintf(out, size, "%s(", m->name);

	for (uint32_t a = 0; a < m->args && used < size; a++) {
		if (a)
			used += (size_t)snprintf(out + used, size - used, ", ");
		if (used < size)
			used += (size_t)say_value(arg[a], out + used, size - used);
	}
	if (used < size)
		snprintf(out + used, size - used, ")");
	return out;
}

static void say_values(const struct lp_harness *h, int64_t result, char *out, size_t size)
{
	uint32_t count;
	const int64_t *values = lp_tuples_values(h->tuples, result, &count);
	size_t used = (size_t)snprintf(out, size, "[");

	if (!values) {
		snprintf(out, size, "%lld (not by lp_several)", (long long)result);
		return;
	}
	for (uint32_t i = 0; i < count && used < size; i++) {
		used += (size_t)snprintf(out + used, size - used, "%s", i ? ", " : "");
		if (used < size)
			used += (size_t)say_value(values[i], out + used, size - used);
	}
	if (used < size)
		snprintf(out + used, size - used, "]");
}

const char *lp_harness_say_result(const struct lp_harness *h, uint32_t method, int64_t result,
				  char *out, size_t size)
{
	const struct lp_method *m = &h->spec->kind->methods[h->methods.at[method].spec_method];

	out[0] = '\0';
	if (lp_is_thrown(result))
		say_thrown(h->spec->kind, result, out, size);
	else if (m->result == LP_TRUTH || (m->result == LP_SUCCESS && result != LP_VOID))
		snprintf(out, size, "%s", result && result != LP_FULL ? "true" : "false");
	else if (m->result == LP_VALUES)
		say_values(h, result, out, size);
	else if (m->result != LP_NOTHING && m->result != LP_SUCCESS && !(h->anonymous && result == LP_VOID))
		say_value(result, out, size);
	return out;
}
