/* declared.c -- lists what headers declare: runs linchpin-fe on them, and reads its list
 * (declared_lines.c). */
#include "cli/init/declared.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/options.h"
#include "frontend/compile/binary.h"
#include "frontend/compile/command.h"
#include "frontend/compile/compile.h"
#include "frontend/compile/database.h"
#include "frontend/compile/job.h"
#include "frontend/compile/places.h"

static bool is_cplusplus(const struct lp_options *o)
{
	static const char *const endings[] = { ".hpp", ".hh", ".hxx", ".h++", ".H" };

	for (int i = 0; i < o->operand_count; i++) {
		const char *dot = strrchr(o->operands[i], '.');
		for (size_t e = 0; dot && e < sizeof endings / sizeof *endings; e++)
			if (!strcmp(dot, endings[e]) || lp_job_is_cplusplus(o->operands[i]))
				return true;
	}
	for (int i = 0; i < o->flag_count; i++)
		if (!strncmp(o->flags[i], "-std=c++", 8) || !strncmp(o->flags[i], "-std=gnu++", 10) || !strcmp(o->flags[i], "-xc++") ||
		    (!strcmp(o->flags[i], "-x") && i + 1 < o->flag_count && !strcmp(o->flags[i + 1], "c++")))
			return true;
	return false;
}

/* A source that includes the headers. */
static bool write_source(const struct lp_options *o, const char *path, struct lp_error *error)
{
	FILE *out = fopen(path, "w");
	bool good = out || lp_fail(error, "cannot write '%s': %s", path, strerror(errno));

	for (int i = 0; good && i < o->operand_count; i++) {
		char real[PATH_MAX];
		if (!realpath(o->operands[i], real) || access(real, R_OK))
			good = lp_fail(error, "cannot read '%s': %s", o->operands[i], strerror(errno));
		else
			fprintf(out, "#include \"%s\"\n", real);
	}
	if (out && fclose(out) && good)
		good = lp_fail(error, "cannot write '%s': %s", path, strerror(errno));
	return good;
}

static bool run(const struct lp_options *o, bool cplusplus, const char *source, const char *list, struct lp_error *error)
{
	const struct lp_compile_request request = { .file = source };
	char fe[512], compiler[512], include[512], used[PATH_MAX];
	struct lp_command command = { 0 };
	struct lp_words flags = { 0 };
	const char *folder = o->at[LP_OPT_COMPILE_COMMANDS].text;

	if (!lp_place_own_clang(&request))
		return lp_fail(error, "linchpin was built without clang inside, which reads headers");
	bool good = (folder && !strcmp(folder, "none")) || lp_database_flags(o->operands[0], folder, &flags, used, error);
	lp_place_instrumenter(fe);
	if (cplusplus)
		lp_place_cplusplus(lp_place_clang(&request), compiler);
	else
		snprintf(compiler, sizeof compiler, "%s", lp_place_clang(&request));
	lp_place_include(&request, include);
	lp_command_add_all(&command, (const char *const[]){ fe, "--declarations", list, compiler, "-fsyntax-only", "-w", "-I", include,
							    NULL });
	for (uint32_t i = 0; i < flags.count; i++)
		lp_command_add(&command, flags.at[i]);
	for (int i = 0; i < o->flag_count; i++)
		if (o->flags[i][0] == '-' || !lp_job_is_source(o->flags[i])) /* other sources are for later */
			lp_command_add(&command, o->flags[i]);
	lp_command_add(&command, source);
	good = good && lp_command_run(&command, "the compiler", error);
	lp_command_drop(&command);
	lp_words_drop(&flags);
	return good;
}

static bool is_operand(const struct lp_options *o, const char *file)
{
	char real[PATH_MAX];

	for (int i = 0; i < o->operand_count; i++)
		if (realpath(o->operands[i], real) && !strcmp(real, file))
			return true;
	return false;
}

static void read_list(struct lp_declarations *d, const struct lp_options *o, char *text)
{
	for (char *line = text; line && *line;) {
		char *next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		const char *tab = strchr(line, '\t');
		char file[PATH_MAX];
		snprintf(file, sizeof file, "%.*s", tab ? (int)(tab - line) : 0, line);
		if (is_operand(o, file))
			lp_declared_read(d, line);
		line = next;
	}
}

bool lp_declarations_open(struct lp_declarations *d, const struct lp_options *o, struct lp_error *error)
{
	char folder[64] = "", source[96], list[96];
	size_t size;

	*d = (struct lp_declarations){ .cplusplus = is_cplusplus(o) };
	if (!lp_command_folder_open(folder, error))
		return false;
	snprintf(source, sizeof source, "%s/headers.%s", folder, d->cplusplus ? "cc" : "c");
	snprintf(list, sizeof list, "%s/declarations", folder);
	const bool good = write_source(o, source, error) && run(o, d->cplusplus, source, list, error);
	char *text = good ? lp_binary_read(list, &size) : NULL;
	if (text)
		read_list(d, o, text);
	lp_free(text);
	lp_command_folder_close(folder);
	return good;
}
