/* study_table.c -- the tables of expected verdicts, and the command line of a row. */
#define _GNU_SOURCE /* strcasestr */
#include "cli/study/study_table.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"

const char *const lp_study_column_names[LP_STUDY_COLUMNS] = {
	"file", "flags", "spec", "property", "sync", "model", "options",
	"verdict", "kind", "calls", "seconds", "source", "note", "paper", "unit",
};

enum { PATH_ROOM = 1024 };

bool lp_study_find_zoo(char *out, size_t size, struct lp_error *error)
{
	static const char *const places[] = { "../zoo", "../../zoo", "../share/linchpin/zoo" };
	char self[PATH_ROOM];
	const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	if (length > 0) {
		self[length] = '\0';
		*strrchr(self, '/') = '\0';
		for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
			snprintf(out, size, "%s/%s/expected.d", self, places[i]);
			if (!access(out, R_OK)) {
				*strrchr(out, '/') = '\0';
				return true;
			}
		}
	}
#ifdef LP_ZOO_DIR
	snprintf(out, size, "%s", LP_ZOO_DIR);
	if (!access(out, R_OK))
		return true;
#endif
	return lp_fail(error, "no folder 'zoo' near the executable; --zoo FOLDER says where it is");
}

/* ---- lists in a cell: "1498, 0.36" ---- */

/* The item with that number; false if there are fewer. */
static bool item(const char *list, uint32_t number, const char **text, int *length)
{
	static const char between[] = ", ";

	for (; number && list; number--) {
		list = strstr(list, between);
		list += list ? strlen(between) : 0;
	}
	if (!list)
		return false;
	const char *end = strstr(list, between);
	*text = list;
	*length = (int)(end ? (size_t)(end - list) : strlen(list));
	return true;
}

static uint32_t count_items(const char *list)
{
	const char *text;
	uint32_t count = 0;
	int length;

	while (list && item(list, count, &text, &length))
		count++;
	return count;
}

/* ---- reading ---- */

/* A row's line, cut into columns in place. */
static bool cut(char *line, struct lp_study_row *row, struct lp_error *error)
{
	uint32_t count = 0;

	for (char *cell = line; cell; count++) {
		char *tab = strchr(cell, '\t');
		if (tab)
			*tab++ = '\0';
		if (count < LP_STUDY_COLUMNS)
			row->at[count] = *cell && strcmp(cell, "-") ? cell : NULL;
		cell = tab;
	}
	if (count <= LP_STUDY_SECONDS || count > LP_STUDY_COLUMNS)
		return lp_fail(error, "%s:%u: %u columns instead of %d", row->table, row->line,
			       count, LP_STUDY_COLUMNS);
	if (!row->at[LP_STUDY_FILE] || !row->at[LP_STUDY_VERDICT])
		return lp_fail(error, "%s:%u: a row needs a file and a verdict", row->table,
			       row->line);
	if (row->at[LP_STUDY_SECONDS] && strcmp(row->at[LP_STUDY_SECONDS], "fast") &&
	    strcmp(row->at[LP_STUDY_SECONDS], "slow"))
		return lp_fail(error, "%s:%u: '%s' is neither fast nor slow", row->table, row->line,
			       row->at[LP_STUDY_SECONDS]);
	if (row->at[LP_STUDY_UNIT] && count_items(row->at[LP_STUDY_PAPER]) != count_items(row->at[LP_STUDY_UNIT]))
		return lp_fail(error, "%s:%u: '%s' and its units '%s' are lists of different lengths", row->table, row->line,
			       row->at[LP_STUDY_PAPER] ? row->at[LP_STUDY_PAPER] : "-", row->at[LP_STUDY_UNIT]);
	return true;
}

static bool read_table(const char *zoo, const char *name, struct lp_arena *arena,
		       struct lp_study_rows *rows, struct lp_error *error)
{
	struct lp_study_row row = { .table = lp_arena_strdup(arena, name) };
	char path[PATH_ROOM];
	char *line = NULL;
	size_t room = 0;
	bool good = true, titled = false;

	snprintf(path, sizeof path, "%s/%s", zoo, name);
	FILE *in = fopen(path, "r");
	if (!in)
		return lp_fail(error, "cannot read '%s': %s", path, strerror(errno));
	while (good && getline(&line, &room, in) > 0) {
		row.line++;
		line[strcspn(line, "\r\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		if (!titled) {
			titled = true;
			if (strncmp(line, "file\t", 5))
				good = lp_fail(error, "%s:%u: the first line must name the columns",
					       name, row.line);
			continue;
		}
		memset(row.at, 0, sizeof row.at);
		good = cut(lp_arena_strdup(arena, line), &row, error);
		if (good)
			LP_PUSH(rows, row);
	}
	free(line);
	fclose(in);
	return good;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The tables of expected.d, in the order of their names. */
static bool list_tables(const char *zoo, struct lp_arena *arena, struct lp_study_words *out)
{
	static const char suffix[] = ".tsv";
	char path[PATH_ROOM];

	snprintf(path, sizeof path, "%s/expected.d", zoo);
	DIR *folder = opendir(path);
	if (!folder)
		return false;
	for (struct dirent *e; (e = readdir(folder));) {
		const size_t length = strlen(e->d_name);
		if (*e->d_name == '.' || length < sizeof suffix ||
		    strcmp(e->d_name + length - strlen(suffix), suffix))
			continue;
		snprintf(path, sizeof path, "expected.d/%s", e->d_name);
		LP_PUSH(out, lp_arena_strdup(arena, path));
	}
	closedir(folder);
	if (out->count)
		qsort(out->at, out->count, sizeof *out->at, by_name);
	return true;
}

bool lp_study_read(const char *zoo, struct lp_arena *arena, struct lp_study_rows *rows,
		   struct lp_error *error)
{
	struct lp_study_words tables = { 0 };
	char path[PATH_ROOM];
	bool good = true;

	snprintf(path, sizeof path, "%s/expected.tsv", zoo);
	const bool alone = !access(path, F_OK);
	if (alone)
		LP_PUSH(&tables, "expected.tsv");
	struct lp_study_words more = { 0 };
	if (!list_tables(zoo, arena, &more) && !alone)
		good = lp_fail(error, "no tables in '%s': neither expected.tsv nor expected.d",
			       zoo);
	for (uint32_t i = 0; good && i < tables.count; i++)
		good = read_table(zoo, tables.at[i], arena, rows, error);
	for (uint32_t i = 0; good && i < more.count; i++)
		good = read_table(zoo, more.at[i], arena, rows, error);
	lp_free(tables.at);
	lp_free(more.at);
	return good;
}

/* ---- a row ---- */

bool lp_study_figure(const struct lp_study_row *row, uint32_t number, struct lp_study_figure *out)
{
	const char *paper = row->at[LP_STUDY_PAPER], *unit = row->at[LP_STUDY_UNIT];

	*out = (struct lp_study_figure){ .text = paper, .unit = unit, .length = paper ? (int)strlen(paper) : 0 };
	return paper && (unit ? item(paper, number, &out->text, &out->length) && item(unit, number, &out->unit, &out->unit_length) :
				number == 0);
}

bool lp_study_matches(const struct lp_study_row *row, const char *text)
{
	if (!strcmp(text, "papers") && row->at[LP_STUDY_PAPER])
		return true;
	for (int c = 0; c < LP_STUDY_COLUMNS; c++)
		if (row->at[c] && strcasestr(row->at[c], text))
			return true;
	return strcasestr(row->table, text);
}

bool lp_study_is_slow(const struct lp_study_row *row)
{
	return row->at[LP_STUDY_SECONDS] && !strcmp(row->at[LP_STUDY_SECONDS], "slow");
}

/* Splits the text at blanks, except within quotes, and removes the quotes. */
static bool add_words(const struct lp_study_row *row, const char *text, struct lp_arena *arena,
		      struct lp_study_words *out, struct lp_error *error)
{
	if (!text)
		return true;
	for (;;) {
		while (*text == ' ')
			text++;
		if (!*text)
			return true;
		char *word = lp_arena_alloc(arena, strlen(text) + 1), *end = word;
		char quote = '\0';
		for (; *text && (quote || *text != ' '); text++) {
			if (quote ? *text == quote : *text == '\'' || *text == '"')
				quote = quote ? '\0' : *text;
			else
				*end++ = *text;
		}
		if (quote)
			return lp_fail(error, "%s:%u: a quote without end", row->table, row->line);
		LP_PUSH(out, word);
	}
}

static void add_option(struct lp_study_words *out, const char *option, const char *value,
		       const char *otherwise)
{
	if (!value || !strcmp(value, otherwise))
		return;
	LP_PUSH(out, option);
	LP_PUSH(out, value);
}

/* A file of the zoo, by its path. */
static const char *path_of(const char *zoo, const char *file, struct lp_arena *arena)
{
	const size_t room = strlen(zoo) + strlen(file) + 2;
	char *path = lp_arena_alloc(arena, room);

	snprintf(path, room, "%s/%s", zoo, file);
	return path;
}

/* --spec KIND, or another object, whose path is relative to the zoo, too. */
static const char *spec_of(const struct lp_study_row *row, const char *zoo, struct lp_arena *arena)
{
	const char *spec = row->at[LP_STUDY_SPEC];
	const char *dot = spec ? strrchr(spec, '.') : NULL;

	return dot && !strcmp(dot, ".c") ? path_of(zoo, spec, arena) : spec;
}

bool lp_study_command(const struct lp_study_row *row, const char *zoo, const char *const *more,
		      struct lp_arena *arena, struct lp_study_words *out, struct lp_error *error)
{
	struct lp_study_words options = { 0 };
	uint32_t first = 0;

	if (!add_words(row, row->at[LP_STUDY_OPTIONS], arena, &options, error)) {
		lp_free(options.at);
		return false;
	}
	out->count = 0;
	if (options.count && isalpha((unsigned char)options.at[0][0]))
		LP_PUSH(out, options.at[first++]);
	else
		LP_PUSH(out, "check");
	const bool check = !strcmp(out->at[0], "check");
	LP_PUSH(out, path_of(zoo, row->at[LP_STUDY_FILE], arena));
	for (uint32_t i = first; i < options.count; i++)
		LP_PUSH(out, options.at[i]);
	lp_free(options.at);
	add_option(out, "--spec", spec_of(row, zoo, arena), "");
	add_option(out, "--prop", row->at[LP_STUDY_PROPERTY], "linearizable");
	add_option(out, "--sync", row->at[LP_STUDY_SYNC], "none");
	/* `states` always uses sc, so --model is not passed. */
	add_option(out, "--model", row->at[LP_STUDY_MODEL],
		   check ? "rc11" : !strcmp(out->at[0], "states") ? "sc" : "");
	if (check && *more)
		LP_PUSH(out, "--no-suggest"); /* a row is about its verdict */
	for (; *more; more++)
		LP_PUSH(out, *more);
	if (row->at[LP_STUDY_FLAGS])
		LP_PUSH(out, "--");
	const bool good = add_words(row, row->at[LP_STUDY_FLAGS], arena, out, error);
	LP_PUSH(out, NULL);
	return good;
}
