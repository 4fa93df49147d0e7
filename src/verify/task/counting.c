/* counting.c -- reads formulae and grammars from files. */
#include "verify/task/counting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "check/counting/languages/formula.h"
#include "check/counting/languages/kernel.h"
#include "cli/options.h"
#include "spec/spec.h"

enum { PIECE = 4096, MOST = 1 << 20 };

struct text {
	LP_VEC(char);
};

static bool read_text(struct text *t, const char *name, struct lp_error *error)
{
	FILE *file = fopen(name, "r");
	size_t got = 1;

	if (!file)
		return lp_fail(error, "cannot open '%s': %s", name, strerror(errno));
	while (got && t->count < MOST) {
		LP_RESERVE(t, PIECE);
		got = fread(t->at + t->count, 1, PIECE, file);
		t->count += (uint32_t)got;
	}
	const bool failed = ferror(file);
	fclose(file);
	if (failed)
		return lp_fail(error, "cannot read '%s': %s", name, strerror(errno));
	return t->count < MOST || lp_fail(error, "cannot read '%s': more than a megabyte", name);
}

static bool read_language(struct lp_counting *c, bool formulae, const struct lp_kind *kind, struct lp_error *error)
{
	struct text t = { 0 };
	bool good = read_text(&t, c->file, error);

	if (good && formulae)
		good = (c->formulae = lp_formulae_parse(c->file, t.at, t.count, kind, error));
	else if (good)
		good = (c->kernel = lp_kernel_parse(c->file, t.at, t.count, kind, error));
	lp_free(t.at);
	return good;
}

bool lp_counting_grammar(struct lp_counting *c, const char *file, const struct lp_kind *kind, struct lp_error *error)
{
	*c = (struct lp_counting){ .file = file };
	return read_language(c, false, kind, error);
}

bool lp_counting_open(struct lp_counting *c, const struct lp_options *options,
		      const struct lp_kind *kind, struct lp_error *error)
{
	const struct lp_option_value *formulae = &options->at[LP_OPT_FORMULAE];
	const struct lp_option_value *grammar = &options->at[LP_OPT_GRAMMAR];

	*c = (struct lp_counting){ 0 };
	if (!formulae->given && !grammar->given)
		return true;
	if (formulae->given && grammar->given)
		return lp_fail(error, "--formulae and --grammar exclude each other");
	c->file = formulae->given ? formulae->text : grammar->text;
	if (!options->at[LP_OPT_AK].given)
		return lp_fail(error, "formulae and grammars require --ak K: '%s'", c->file);
	return read_language(c, formulae->given, kind, error);
}

bool lp_counting_for_objects(struct lp_counting *c, const struct lp_options *options,
			     const struct lp_spec *spec, struct lp_error *error)
{
	char name[32];

	if (!lp_counting_open(c, options, spec->kind, error))
		return false;
	for (uint32_t m = 0; c->file && m < spec->kind->method_count; m++)
		if (spec->kind->methods[m].result == LP_VALUES)
			return lp_fail(error, "cannot count by '%s': calls of %s have several results", c->file,
				       lp_method_name(&spec->kind->methods[m], name));
	return true;
}

bool lp_counting_names_values(const struct lp_counting *c)
{
	return c->formulae ? !lp_formulae_copies(c->formulae) : c->kernel && lp_kernel_names_values(c->kernel);
}

void lp_counting_close(struct lp_counting *c)
{
	if (c->formulae)
		lp_formulae_close(c->formulae);
	if (c->kernel)
		lp_kernel_close(c->kernel);
	*c = (struct lp_counting){ 0 };
}
