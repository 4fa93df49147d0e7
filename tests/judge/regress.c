/* regress.c -- programs that are kept; see regress.h. */
#include "regress.h"

#include "judge.h"
#include "models.h"

#include "base/error.h"
#include "base/vec.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path)
{
	struct { LP_VEC(char); } text = { 0 };
	FILE *in = fopen(path, "r");

	if (!in)
		return NULL;
	for (int c; (c = fgetc(in)) != EOF;)
		LP_PUSH(&text, (char)c);
	LP_PUSH(&text, 0);
	fclose(in);
	return text.at;
}

static enum judged judge_with(const char *text, enum lp_model model, const unsigned *sets, unsigned count, bool loud,
			      unsigned *failed)
{
	const struct judge_options options = { .model = model, .sets = sets, .count = count, .naive = true,
					       .patient = true, .loud = loud };
	struct judge_tally ignored = { 0 };

	return judge(text, &options, &ignored, failed);
}

/* Of the sets that fail, names those that have no smaller one. */
static bool every_set_is_right(const char *text, enum lp_model model, bool loud)
{
	const bool adds = strstr(text, "add.") || strstr(text, "sub.");
	unsigned sets[USE_ALL + 1], count = 0, failed;
	bool right = true;
	char name[100];

	/* Reductions of additions make no difference to programs without additions; leaving them out halves the number
	 * of sets. */
	for (unsigned set = 0; set <= USE_ALL; set++)
		if (sensible_set(set) == set && (adds || !(set & USE_shifts)))
			sets[count++] = set;
	for (enum judged answer; count; right = false) {
		answer = judge_with(text, model, sets, count, loud, &failed);
		if (answer == JUDGED_RIGHT)
			return right;
		print_set(name, sizeof name, failed);
		if (loud)
			printf("# %s: %s with %s\n", axiom_model_names[model], answer == JUDGED_WRONG ? "wrong" : "not judged", name);
		if (answer != JUDGED_WRONG || !failed)
			return false;
		unsigned kept = 0;
		for (unsigned i = 0; i < count; i++)
			if (failed & ~sets[i])
				sets[kept++] = sets[i];
		count = kept;
	}
	return right;
}

bool regress_file(const char *path, enum lp_model model, const unsigned *set, bool loud)
{
	char *text = read_file(path);

	if (!text) {
		fprintf(stderr, "cannot read '%s'\n", path);
		return false;
	}
	unsigned failed;
	const bool right = set ? judge_with(text, model, set, 1, loud, &failed) == JUDGED_RIGHT
			       : every_set_is_right(text, model, loud);
	if (loud)
		printf("%s: %s: %s\n", path, axiom_model_names[model], right ? "right" : "WRONG");
	lp_free(text);
	return right;
}

/* Is there such a line? */
static bool has_line(const char *text, const char *line)
{
	const size_t length = strlen(line);

	for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (!strncmp(at, line, length) && (at[length] == '\n' || !at[length]))
			return true;
	return false;
}

unsigned regress_folder(const char *path, int model)
{
	char pattern[4096], line[4200];
	glob_t found = { 0 };
	unsigned failures = 0, expected = 0;

	snprintf(pattern, sizeof pattern, "%s/known.txt", path);
	char *known = read_file(pattern);
	snprintf(pattern, sizeof pattern, "%s/*.txt", path);
	glob(pattern, 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *name = strrchr(found.gl_pathv[i], '/') + 1;

		for (unsigned m = 0; m < AXIOM_MODELS && strcmp(name, "known.txt"); m++) {
			if (model >= 0 && (unsigned)model != m)
				continue;
			snprintf(line, sizeof line, "%.*s %s", (int)strcspn(name, "."), name, axiom_model_names[m]);
			const bool wrong = known && has_line(known, line);
			const bool right = regress_file(found.gl_pathv[i], (enum lp_model)m, NULL, !wrong);

			expected += wrong;
			failures += right == wrong;
			if (right && wrong)
				printf("%s is judged rightly now: take it out of known.txt\n", line);
		}
	}
	printf("%zu programs, %u answers known to be wrong, %u not as expected\n", found.gl_pathc, expected, failures);
	failures += !found.gl_pathc;
	globfree(&found);
	lp_free(known);
	return failures;
}
