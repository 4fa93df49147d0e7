/* write_harness.c -- writes a harness from what was guessed.
 *
 * What could not be guessed is a question: a comment that begins with "?".  Where possible, the harness compiles nevertheless,
 * with a provisional answer.
 */
#include "cli/init/write_harness.h"

#include <stdlib.h>
#include <string.h>

#include "cli/init/guess.h"
#include "spec/spec.h"

struct writer {
	FILE *out;
	const struct lp_guess *guess;
	unsigned questions;
};

static void ask(struct writer *w, const char *question)
{
	fprintf(w->out, " /* ? %s */", question);
	w->questions++;
}

static const char *const letters[] = { "a", "b", "c" };

/* ---- one method ---- */

struct method {
	const struct lp_declared *f;
	const struct lp_method *of;
	uint32_t given;                 /* arguments of the harness that are used */
	const struct lp_declared_type *out; /* what a result is written through; NULL: it is returned */
};

static bool is_optional(const struct lp_declared_type *t)
{
	return strstr(t->text, "optional<");
}

static void put_value(struct writer *w, const struct lp_declared_type *t, const char *letter)
{
	if (t->sort == 'p' && t->reference)
		fputs(letter, w->out); /* a copy, or the argument itself */
	else if (t->sort == 'p')
		fprintf(w->out, "(%s)(intptr_t)%s", t->text, letter);
	else if (!strcmp(t->text, "int64_t"))
		fputs(letter, w->out);
	else if (t->sort == 'i' && strchr(t->text, ' ') == NULL && w->guess->declarations->cplusplus && strlen(t->text) <= 2)
		fputs(letter, w->out); /* the parameter of a template */
	else
		fprintf(w->out, "(%s)%s", t->text, letter);
}

/* Can the parameter take an argument, or is it where a result goes? */
static bool is_written(const struct method *m, const struct lp_declared_type *t)
{
	return t->sort == 'p' && !t->constant && (t->to_sort == 'i' || t->to_sort == 'p' || t->to_sort == 'b') && !m->out &&
	       m->given == m->of->args && m->of->result != LP_NOTHING;
}

static void put_arguments(struct writer *w, struct method *m)
{
	const struct lp_declared *f = m->f;
	const bool concerns = lp_guess_concerns(w->guess, f) && !f->owner;
	const char *separator = "";

	putc('(', w->out);
	if (concerns) {
		fputs(w->guess->handed_out ? "object" : f->param[0].type.reference ? "object" : "&object", w->out);
		separator = ", ";
	}
	for (uint32_t i = concerns; i < f->params; i++) {
		const struct lp_declared_type *t = &f->param[i].type;
		fputs(separator, w->out);
		separator = ", ";
		if (m->given < m->of->args && t->sort != 'o' && t->sort != 'f') {
			put_value(w, t, letters[m->given++]);
		} else if (is_written(m, t)) {
			fputs(t->reference ? "out" : "&out", w->out);
			m->out = t;
		} else {
			char question[160];
			snprintf(question, sizeof question, "what is '%s', a '%s'?", f->param[i].name ? f->param[i].name : "this", t->text);
			fputs(t->sort == 'p' && !t->reference ? "NULL" : "0", w->out);
			ask(w, question);
		}
	}
	putc(')', w->out);
}

/* Writes the call to a buffer first.  The text around it depends on which arguments the call uses. */
static char *call_of(struct writer *w, struct method *m)
{
	char *text = NULL;
	size_t size;
	FILE *const out = w->out;

	w->out = open_memstream(&text, &size);
	fprintf(w->out, "%s%s", m->f->owner ? "object." : "", m->f->name);
	put_arguments(w, m);
	fclose(w->out);
	w->out = out;
	return text;
}

/* A result that may not be there. */
static void put_value_result(struct writer *w, const struct method *m, const char *call)
{
	const struct lp_declared_type *r = &m->f->result;
	const bool empty = m->of->result == LP_VALUE_OR_EMPTY || m->of->roles & LP_REMOVES;

	if (m->out) {
		fprintf(w->out, "%s out; ", m->out->to);
		if (r->sort == 'v')
			fprintf(w->out, "%s; return (int64_t)%sout;", call, m->out->to_sort == 'p' ? "(intptr_t)" : "");
		else
			fprintf(w->out, "return %s ? (int64_t)%sout : LP_EMPTY;", call, m->out->to_sort == 'p' ? "(intptr_t)" : "");
		if (r->sort == 'i')
			ask(w, "does it return 0 if there is nothing, and not if there is something?");
	} else if (is_optional(r)) {
		fprintf(w->out, "auto v = %s; return v ? (int64_t)*v : LP_EMPTY;", call);
	} else if (r->sort == 'p' && !r->reference) {
		fprintf(w->out, "const void *v = %s; return v ? (int64_t)(intptr_t)v : LP_EMPTY;", call);
	} else if (r->sort == 'v' || r->sort == 'o') {
		fprintf(w->out, "%s; return LP_EMPTY;", call);
		ask(w, "where is its result?");
	} else {
		fprintf(w->out, "return (int64_t)%s;", call);
		if (empty)
			ask(w, "what does it return if there is nothing? LP_EMPTY is expected then");
	}
}

static void put_result(struct writer *w, const struct method *m, const char *call)
{
	const char sort = m->f->result.sort;

	switch (m->of->result) {
	case LP_NOTHING:
		fprintf(w->out, "%s; return LP_VOID;", call);
		if (sort != 'v')
			ask(w, "it returns something: can it fail?");
		break;
	case LP_SUCCESS:
		if (sort == 'v')
			fprintf(w->out, "%s; return LP_VOID;", call);
		else
			fprintf(w->out, "return %s ? 1 : 0;", call);
		if (sort == 'i')
			ask(w, "does it return 0 if it fails, and not if it succeeds?");
		break;
	case LP_TRUTH:
		fprintf(w->out, sort == 'v' ? "%s; return 1;" : "return %s ? 1 : 0;", call);
		if (sort == 'v')
			ask(w, "it returns nothing: was it so?");
		break;
	case LP_VALUE:
	case LP_VALUE_OR_EMPTY:
		put_value_result(w, m, call);
		break;
	case LP_VALUES:
		fprintf(w->out, "%s; return LP_VOID;", call);
		ask(w, "it gives several values: return lp_several(values, count)");
		break;
	}
}

static void put_method(struct writer *w, const struct lp_declared *f, const struct lp_guessed *g)
{
	struct method m = { .f = f, .of = g->method };

	fprintf(w->out, "LP_METHOD(%s", g->name);
	for (uint32_t i = 0; i < g->method->args; i++)
		fprintf(w->out, ", %s", letters[i]);
	fputs(") { ", w->out);
	char *call = call_of(w, &m);
	for (uint32_t i = m.given; i < g->method->args; i++)
		fprintf(w->out, "(void)%s; ", letters[i]);
	put_result(w, &m, call);
	free(call);
	if (m.given < g->method->args)
		ask(w, "the specification has more arguments");
	fputs(" }\n", w->out);
}

/* ---- the rest ---- */

static void put_block(struct writer *w, const struct lp_declared *f, bool setup)
{
	/* Clients cannot provide its arguments. */
	static const struct lp_method none = { .result = LP_NOTHING };
	struct method m = { .f = f, .of = &none };

	fputs(setup ? "LP_SETUP { " : "LP_TEARDOWN { ", w->out);
	char *call = call_of(w, &m);
	fprintf(w->out, "%s%s; }\n", setup && w->guess->handed_out && f->result.sort == 'p' ? "object = " : "", call);
	free(call);
}

static void put_object(struct writer *w)
{
	const struct lp_guess *g = w->guess;

	if (g->type)
		fprintf(w->out, "static %s %sobject;\n", g->type, g->handed_out ? "*" : "");
}

static void put_spec(struct writer *w)
{
	const struct lp_guess *g = w->guess;

	fprintf(w->out, "LP_SPEC(\"%s\")", g->kind ? g->kind->name : "?");
	if (g->kind)
		ask(w, "guessed by the names of functions; `linchpin specs` lists others, and their parameters");
	else
		ask(w, "what is it? `linchpin specs` lists what it may be");
	putc('\n', w->out);
}

static const struct lp_guessed *method_named(const struct lp_guess *g, const char *name)
{
	for (uint32_t i = 0; i < g->declarations->count; i++)
		if (g->at[i].method && !strncmp(g->at[i].method->names, name, strlen(name)) &&
		    strchr(" ", g->at[i].method->names[strlen(name)]))
			return &g->at[i];
	return NULL;
}

/* A lock is given back by the thread that took it. */
static void put_rules(struct writer *w)
{
	static const struct { const char *gives, *takes; bool tries; } rules[] = {
		{ "unlock", "lock", false }, { "unlock", "trylock", true },
		{ "read_unlock", "read_lock", false }, { "write_unlock", "write_lock", false },
	};

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		const struct lp_guess *g = w->guess;
		const struct lp_guessed *gives = method_named(g, rules[i].gives), *takes = method_named(g, rules[i].takes);
		if (gives && takes)
			fprintf(w->out, "LP_AFTER%s(\"%s\", \"%s\")\n", rules[i].tries ? "_TRUE" : "", gives->name, takes->name);
	}
}

static void put_others(struct writer *w)
{
	const struct lp_guess *g = w->guess;
	const char *separator = "/* ? What are these for? ";

	for (uint32_t i = 0; i < g->declarations->count; i++) {
		if (g->at[i].role != LP_GUESSED_NOTHING)
			continue;
		fprintf(w->out, "%s%s()", separator, g->declarations->at[i].name);
		separator = ", ";
	}
	if (*separator == ',') {
		fputs(" */\n", w->out);
		w->questions++;
	}
}

static void put_roles(struct writer *w, enum lp_guessed_role role)
{
	const struct lp_guess *g = w->guess;
	bool any = false;

	for (uint32_t i = 0; i < g->declarations->count; i++) {
		if (g->at[i].role != role || (any && role != LP_GUESSED_METHOD))
			continue;
		any = true;
		if (role == LP_GUESSED_METHOD)
			put_method(w, &g->declarations->at[i], &g->at[i]);
		else
			put_block(w, &g->declarations->at[i], role == LP_GUESSED_SETUP);
	}
}

unsigned lp_harness_write(FILE *out, const struct lp_guess *g, const char *const *headers, int count, const char *command)
{
	struct writer w = { .out = out, .guess = g };

	fprintf(out, "/* A first harness: answer the questions in comments (\"?\"), then run\n *\n *     %s\n */\n", command);
	fputs("#include <linchpin.h>\n", out);
	for (int i = 0; i < count; i++)
		fprintf(out, "#include \"%s\"\n", headers[i]);
	putc('\n', out);
	put_object(&w);
	put_spec(&w);
	put_roles(&w, LP_GUESSED_SETUP);
	put_roles(&w, LP_GUESSED_METHOD);
	put_roles(&w, LP_GUESSED_TEARDOWN);
	put_rules(&w);
	put_others(&w);
	return w.questions;
}
