/* database.c -- reads compile_commands.json.
 *
 * The format: https://clang.llvm.org/docs/JSONCompilationDatabase.html.  An array of objects, of which "directory", "file",
 * and "arguments" or "command" are read.
 */
#include "frontend/compile/database.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "frontend/compile/binary.h"

static const char NAME[] = "compile_commands.json";
enum { DEEPEST = 64 };

/* ---- JSON, read over itself ---- */

struct reader {
	const char *text; /* all of it */
	char *at;
	bool bad;
};

static char peek(struct reader *r)
{
	while (*r->at && strchr(" \t\r\n", *r->at))
		r->at++;
	return *r->at;
}

static bool take(struct reader *r, char c)
{
	if (peek(r) != c)
		return false;
	r->at++;
	return true;
}

/* \u0041: as UTF-8; the halves of a surrogate pair are not combined. */
static char *put_unicode(struct reader *r, char *out)
{
	unsigned code = 0;

	for (int i = 0; i < 4; i++) {
		const char c = *r->at;
		if (!isxdigit((unsigned char)c)) {
			r->bad = true;
			return out;
		}
		code = code * 16 + (unsigned)(isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10);
		r->at++;
	}
	if (!code) {
		r->bad = true; /* no word has that in it */
	} else if (code < 0x80) {
		*out++ = (char)code;
	} else if (code < 0x800) {
		*out++ = (char)(0xc0 | code >> 6);
		*out++ = (char)(0x80 | (code & 0x3f));
	} else {
		*out++ = (char)(0xe0 | code >> 12);
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	}
	return out;
}

/* A string, in its own place: it is never longer than it was written.  NULL if there is none. */
static char *take_string(struct reader *r)
{
	static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	char *start, *out;

	if (!take(r, '"')) {
		r->bad = true;
		return NULL;
	}
	for (start = out = r->at; *r->at && *r->at != '"' && !r->bad;) {
		const char c = *r->at++;
		const char *escape;
		if (c != '\\') {
			*out++ = c;
		} else if (*r->at == 'u') {
			r->at++;
			out = put_unicode(r, out);
		} else if (*r->at && (escape = strchr(plain, *r->at))) {
			*out++ = meant[escape - plain];
			r->at++;
		} else {
			r->bad = true;
		}
	}
	if (*r->at != '"')
		r->bad = true;
	else
		r->at++;
	*out = '\0';
	return r->bad ? NULL : start;
}

static void skip_value(struct reader *r, int depth)
{
	const char open = peek(r);

	if (open == '"') {
		take_string(r);
	} else if (open == '{' || open == '[') {
		const char close = open == '{' ? '}' : ']';
		r->at++;
		if (depth == DEEPEST)
			r->bad = true;
		while (!r->bad && !take(r, close)) {
			if (open == '{' && (!take_string(r) || !take(r, ':')))
				r->bad = true;
			if (!r->bad)
				skip_value(r, depth + 1);
			if (!take(r, ',') && peek(r) != close)
				r->bad = true;
		}
	} else {
		const size_t length = strspn(r->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
		r->bad |= !length;
		r->at += length;
	}
}

/* ---- entries ---- */

struct entry {
	const char *directory, *file;
	char *command;
	struct lp_words arguments; /* in the text: not to be freed one by one */
};

static void take_arguments(struct reader *r, struct entry *e)
{
	if (!take(r, '[')) {
		r->bad = true;
		return;
	}
	e->arguments.count = 0;
	while (!r->bad && !take(r, ']')) {
		char *word = take_string(r);
		if (word)
			LP_PUSH(&e->arguments, word);
		if (!take(r, ',') && peek(r) != ']')
			r->bad = true;
	}
}

static void take_entry(struct reader *r, struct entry *e)
{
	if (!take(r, '{')) {
		r->bad = true;
		return;
	}
	while (!r->bad && !take(r, '}')) {
		const char *name = take_string(r);
		if (!name || !take(r, ':'))
			r->bad = true;
		else if (!strcmp(name, "directory"))
			e->directory = take_string(r);
		else if (!strcmp(name, "file"))
			e->file = take_string(r);
		else if (!strcmp(name, "command"))
			e->command = take_string(r);
		else if (!strcmp(name, "arguments"))
			take_arguments(r, e);
		else
			skip_value(r, 0);
		if (!take(r, ',') && peek(r) != '}')
			r->bad = true;
	}
}

static void join(const char *folder, const char *name, char out[static PATH_MAX])
{
	const bool whole = name[0] == '/' || !folder;

	if (snprintf(out, PATH_MAX, "%s%s%s", whole ? "" : folder, whole ? "" : "/", name) >= PATH_MAX)
		out[0] = '\0';
}

/* Is the entry about that file, whose path is real? */
static bool is_about(const struct entry *e, const char *file)
{
	char path[PATH_MAX], real[PATH_MAX];

	if (!e->file)
		return false;
	join(e->directory, e->file, path);
	return !strcmp(path, file) || (realpath(path, real) && !strcmp(real, file));
}

/* The same for "queue.c" and "queue.h". */
static bool is_beside(const struct entry *e, const char *header)
{
	const char *dot = strrchr(header, '.'), *own = e->file ? strrchr(e->file, '.') : NULL;
	char path[PATH_MAX], real[PATH_MAX];

	if (!dot || !own || dot[1] != 'h')
		return false;
	join(e->directory, e->file, path);
	const char *end = realpath(path, real) ? strrchr(real, '.') : NULL;
	return end && end - real == dot - header && !strncmp(real, header, (size_t)(end - real));
}

/* ---- flags ---- */

static void add_path(struct lp_words *flags, const char *flag, const char *folder, const char *path)
{
	char whole[PATH_MAX], word[PATH_MAX + 32];

	join(folder, path, whole);
	snprintf(word, sizeof word, "%s%s", flag, whole);
	LP_PUSH(flags, lp_strdup(word));
}

/* -Ifolder, or -I folder; false if it is none of these. */
static bool take_folder(struct lp_words *flags, const char *folder, char **word, uint32_t left, uint32_t *used)
{
	static const char *const names[] = { "-isystem", "-iquote", "-idirafter", "-I" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const size_t length = strlen(names[i]);
		if (strncmp(word[0], names[i], length))
			continue;
		const bool apart = !word[0][length];
		*used = apart && left > 1 ? 2 : 1;
		if (apart && left < 2)
			return true; /* nothing follows */
		if (i == 3) {
			add_path(flags, names[i], folder, apart ? word[1] : word[0] + length);
		} else {
			LP_PUSH(flags, lp_strdup(names[i]));
			add_path(flags, "", folder, apart ? word[1] : word[0] + length);
		}
		return true;
	}
	return false;
}

/* A header that is included first is looked for beside the sources, too: it is not there if that is elsewhere. */
static bool take_header(struct lp_words *flags, const char *folder, char **word, uint32_t left, uint32_t *used)
{
	char path[PATH_MAX];
	struct stat status;

	if (strcmp(word[0], "-include") && strcmp(word[0], "-imacros"))
		return false;
	*used = left > 1 ? 2 : 1;
	if (left > 1) {
		join(folder, word[1], path);
		LP_PUSH(flags, lp_strdup(word[0]));
		LP_PUSH(flags, lp_strdup(stat(path, &status) ? word[1] : path));
	}
	return true;
}

static bool take_macro(struct lp_words *flags, char **word, uint32_t left, uint32_t *used)
{
	if (strncmp(word[0], "-D", 2) && strncmp(word[0], "-U", 2))
		return false;
	*used = !word[0][2] && left > 1 ? 2 : 1;
	for (uint32_t i = 0; i < *used && (word[0][2] || left > 1); i++)
		LP_PUSH(flags, lp_strdup(word[i]));
	return true;
}

static bool is_meant(const char *word)
{
	static const char *const whole[] = { "-ansi", "-pthread", "-fsigned-char", "-funsigned-char", "-fshort-enums", "-fshort-wchar",
					     "-fms-extensions", "-fno-exceptions", "-fexceptions", "-fno-rtti", "-fgnu89-inline",
					     "-fno-threadsafe-statics", "-ffreestanding", "-mcx16" };

	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (!strcmp(word, whole[i]))
			return true;
	return !strncmp(word, "-std=", 5) || !strncmp(word, "-march=", 7);
}

static void take_flags(struct lp_words *flags, const struct entry *e)
{
	const struct lp_words *all = &e->arguments;

	for (uint32_t i = 1, used; i < all->count; i += used) { /* the first one is the compiler */
		char **word = &all->at[i];
		const uint32_t left = all->count - i;
		used = 1;
		if (!take_folder(flags, e->directory, word, left, &used) && !take_header(flags, e->directory, word, left, &used) &&
		    !take_macro(flags, word, left, &used) && is_meant(word[0]))
			LP_PUSH(flags, lp_strdup(word[0]));
	}
}

static void split_command(struct entry *e)
{
	if (!e->command || e->arguments.count)
		return;
	for (char *word; (word = lp_words_next(&e->command));)
		LP_PUSH(&e->arguments, word);
}

static unsigned line_of(const struct reader *r, size_t length)
{
	unsigned line = 1;

	for (size_t i = 0; i < length; i++)
		line += r->text[i] == '\n';
	return line;
}

bool lp_database_read(char *text, const char *path, const char *file, struct lp_words *flags, bool *found,
		      struct lp_error *error)
{
	struct reader r = { .text = text, .at = text };
	struct entry beside = { 0 };
	bool any_beside = false;

	*found = false;
	if (!take(&r, '['))
		r.bad = true;
	while (!r.bad && !*found && !take(&r, ']')) {
		struct entry e = { 0 };
		take_entry(&r, &e);
		*found = !r.bad && is_about(&e, file);
		if (*found) {
			split_command(&e);
			take_flags(flags, &e);
		}
		if (!r.bad && !any_beside && is_beside(&e, file)) {
			any_beside = true;
			beside = e;
		} else {
			lp_free(e.arguments.at);
		}
		if (!*found && !take(&r, ',') && peek(&r) != ']')
			r.bad = true;
	}
	if (!r.bad && !*found && any_beside) {
		*found = true;
		split_command(&beside);
		take_flags(flags, &beside);
	}
	lp_free(beside.arguments.at);
	return !r.bad || lp_fail(error, "cannot read '%s': line %u is not that of a compilation database", path,
				 line_of(&r, (size_t)(r.at - text)));
}

/* ---- files ---- */

/* The nearest database above the file. */
static bool search(const char *file, char out[static PATH_MAX])
{
	char folder[PATH_MAX];
	struct stat status;

	snprintf(folder, sizeof folder, "%s", file);
	for (char *slash; (slash = strrchr(folder, '/'));) {
		*slash = '\0';
		join(folder, NAME, out);
		if (out[0] && !stat(out, &status) && S_ISREG(status.st_mode))
			return true;
	}
	return false;
}

bool lp_database_flags(const char *file, const char *folder, struct lp_words *flags, char used[static PATH_MAX],
		       struct lp_error *error)
{
	char real[PATH_MAX];
	struct stat status;
	size_t size;
	bool found = false;

	used[0] = '\0';
	if (!realpath(file, real))
		return lp_fail(error, "cannot read '%s': %s", file, strerror(errno));
	if (!folder && !search(real, used)) {
		used[0] = '\0';
		return true;
	}
	if (folder)
		join(stat(folder, &status) || S_ISDIR(status.st_mode) ? folder : NULL,
		     stat(folder, &status) || S_ISDIR(status.st_mode) ? NAME : folder, used);
	char *text = lp_binary_read(used, &size);
	if (!text)
		return lp_fail(error, "cannot read '%s': %s", used, strerror(errno ? errno : ENOENT));
	const bool good = lp_database_read(text, used, real, flags, &found, error);
	lp_free(text);
	if (!found)
		used[0] = '\0';
	return good;
}
