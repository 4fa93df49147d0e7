/* guess.c -- guesses the roles of functions that a header declares. */
#include "cli/init/guess.h"

#include <ctype.h>
#include <string.h>

#include "spec/spec.h"

/* What the function is about: a class, or what its first parameter points to. */
static const char *subject_of(const struct lp_declared *f)
{
	if (f->owner)
		return f->owner;
	return f->params && f->param[0].type.sort == 'p' && f->param[0].type.to_sort == 'o' ? f->param[0].type.to : NULL;
}

bool lp_guess_concerns(const struct lp_guess *g, const struct lp_declared *f)
{
	const char *subject = subject_of(f);

	return g->type && subject && !strcmp(subject, g->type);
}

static void find_type(struct lp_guess *g)
{
	const struct lp_declarations *d = g->declarations;
	uint32_t most = 0;

	for (uint32_t i = 0; i < d->count; i++) {
		const char *subject = subject_of(&d->at[i]);
		uint32_t count = 0;
		for (uint32_t k = 0; subject && k < d->count; k++)
			count += subject_of(&d->at[k]) && !strcmp(subject_of(&d->at[k]), subject);
		if (count > most) {
			most = count;
			g->type = subject;
		}
	}
}

/* The next possible end of a name: after an underscore, or after ::. */
static const char *next_end(const char *name)
{
	name += strcspn(name, "_:");
	name += strspn(name, "_:");
	return *name ? name : NULL;
}

static bool is_word(const char *name, const char *const *words)
{
	for (const char *end = name; end; end = next_end(end))
		for (const char *const *w = words; *w; w++)
			if (!strcmp(end, *w))
				return true;
	return false;
}

static bool makes(const struct lp_guess *g, const struct lp_declared *f)
{
	return f->result.sort == 'p' && f->result.to && g->type && !strcmp(f->result.to, g->type);
}

static enum lp_guessed_role block_of(const struct lp_guess *g, const struct lp_declared *f)
{
	static const char *const setup[] = { "init", "initialize", "initialise", "create", "new", "make", "construct", "alloc", "setup",
					     NULL };
	static const char *const teardown[] = { "destroy", "free", "delete", "fini", "deinit", "drop", "destruct", "teardown", "cleanup",
						NULL };

	if (f->owner)
		return LP_GUESSED_NOTHING;
	if (is_word(f->name, setup) && (makes(g, f) || lp_guess_concerns(g, f) || !g->type))
		return LP_GUESSED_SETUP;
	return is_word(f->name, teardown) && (lp_guess_concerns(g, f) || !g->type) ? LP_GUESSED_TEARDOWN : LP_GUESSED_NOTHING;
}

/* The kind's method that the function may be, by the longest end of its name that is one; `*name` is that end. */
static const struct lp_method *method_of(const struct lp_kind *kind, const struct lp_declared *f, const char **name)
{
	for (const char *end = f->name; end; end = next_end(end)) {
		const uint32_t found = lp_method_named(kind, end, strlen(end));
		if (found == LP_NO_METHOD)
			continue;
		*name = end;
		return &kind->methods[found];
	}
	return NULL;
}

static bool has_letters(const char *text, const char *letters)
{
	const size_t length = strlen(letters);

	for (; text && *text; text++) {
		size_t i = 0, k = 0;
		while (i < length && (letters[i] == '_' || tolower((unsigned char)text[k]) == letters[i]))
			k += letters[i++] != '_';
		if (i == length)
			return true;
	}
	return false;
}

static bool may_be_called(const struct lp_guess *g, const struct lp_declared *f)
{
	return block_of(g, f) == LP_GUESSED_NOTHING && (lp_guess_concerns(g, f) || (!g->type && !f->owner));
}

/* How well the kind goes with the functions. */
static uint32_t fit_of(const struct lp_guess *g, const struct lp_kind *kind, const char *file)
{
	const struct lp_declarations *d = g->declarations;
	uint32_t found = 0, named = has_letters(file, kind->name) || has_letters(g->type, kind->name);

	for (uint32_t m = 0; m < kind->method_count; m++) {
		bool any = false;
		for (uint32_t i = 0; i < d->count; i++) {
			const char *name;
			any |= may_be_called(g, &d->at[i]) && method_of(kind, &d->at[i], &name) == &kind->methods[m];
			named |= has_letters(d->at[i].name, kind->name);
		}
		found += any;
	}
	return found >= 2 || (found && named) ? 4 * found + 3 * named : 0;
}

static void find_kind(struct lp_guess *g, const char *file)
{
	uint32_t best = 0;

	for (uint32_t k = 0; k < lp_kind_count(); k++) {
		const uint32_t fit = fit_of(g, lp_kind_at(k), file);
		/* The longer name says more: priority_queue, not queue. */
		if (fit > best || (fit && fit == best && g->kind && strstr(lp_kind_at(k)->name, g->kind->name))) {
			best = fit;
			g->kind = lp_kind_at(k);
		}
	}
}

void lp_guess(struct lp_guess *g, const struct lp_declarations *d, const char *file)
{
	*g = (struct lp_guess){ .declarations = d, .at = lp_alloc_zero(d->count + 1, sizeof *g->at) };
	find_type(g);
	find_kind(g, file);
	for (uint32_t i = 0; i < d->count; i++) {
		const struct lp_declared *f = &d->at[i];
		struct lp_guessed *out = &g->at[i];
		out->role = block_of(g, f);
		g->handed_out |= out->role == LP_GUESSED_SETUP && makes(g, f);
		if (out->role != LP_GUESSED_NOTHING || !g->kind || !may_be_called(g, f))
			continue;
		out->method = method_of(g->kind, f, &out->name);
		for (uint32_t k = 0; k < i; k++) /* one function for a method */
			if (out->method && g->at[k].method == out->method)
				out->method = NULL;
		if (out->method)
			out->role = LP_GUESSED_METHOD;
	}
}

void lp_guess_close(struct lp_guess *g)
{
	lp_free(g->at);
}
