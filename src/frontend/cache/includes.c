/* includes.c -- notes which files clang has read, and which files it would have read instead if they
 * existed. */
#define _GNU_SOURCE
#include "frontend/cache/includes.h"

#include <stdio.h>
#include <string.h>

#include "frontend/cache/headers.h"
#include "frontend/cache/inputs.h"
#include "frontend/cache/risky_words.h"

void lp_names_drop(struct lp_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		lp_free(names->at[i]);
	lp_free(names->at);
	*names = (struct lp_names){ 0 };
}

void lp_names_add(struct lp_names *names, const char *name, size_t length)
{
	char *copy = lp_alloc(length + 1);

	memcpy(copy, name, length);
	copy[length] = '\0';
	LP_PUSH(names, copy);
}

static void add_once(struct lp_names *names, const char *name, size_t length)
{
	for (uint32_t i = 0; i < names->count; i++)
		if (!strncmp(names->at[i], name, length) && !names->at[i][length])
			return;
	lp_names_add(names, name, length);
}

/* ---- the search list ---- */

void lp_include_search_drop(struct lp_include_search *search)
{
	lp_names_drop(&search->folders);
	lp_names_drop(&search->ignored);
	lp_names_drop(&search->missing);
}

/* clang leaves out "./" at the beginning when it writes down what it has read. */
static void add_folder(struct lp_names *folders, const char *name, size_t length)
{
	while (length && name[0] == '.' && (length == 1 || name[1] == '/'))
		for (name++, length--; length && *name == '/';)
			name++, length--;
	while (length > 1 && name[length - 1] == '/')
		length--;
	lp_names_add(folders, name, length);
}

/* A line of the list; false if it is not understood. */
static bool take_line(struct lp_include_search *search, const char *line, size_t length)
{
	static const char missing[] = "ignoring nonexistent directory \"", twin[] = "ignoring duplicate directory \"";
	static const char *const known[] = { "clang -cc1 version ", "#include \"...\" search starts here:",
					     "#include <...> search starts here:", "  as it is a non-system directory " };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strncmp(line, known[i], strlen(known[i])))
			return true;
	if (!strncmp(line, missing, sizeof missing - 1) && line[length - 1] == '"')
		lp_names_add(&search->missing, line + sizeof missing - 1, length - sizeof missing);
	else if (!strncmp(line, twin, sizeof twin - 1) && line[length - 1] == '"')
		lp_names_add(&search->ignored, line + sizeof twin - 1, length - sizeof twin);
	else if (length > 1 && line[0] == ' ' && line[1] != ' ' && line[length - 1] != ')')
		add_folder(&search->folders, line + 1, length - 1);
	else
		return false;
	return true;
}

bool lp_include_search_take(struct lp_include_search *search, char *messages)
{
	static const char first[] = "clang -cc1 version ", last[] = "End of search list.\n";
	char *begin = strstr(messages, first), *end = begin ? strstr(begin, last) : NULL;
	bool understood = true;

	if (!end)
		return false;
	for (char *line = begin; line < end;) {
		const size_t length = strcspn(line, "\n");
		understood &= take_line(search, line, length);
		line += length + 1;
	}
	end += sizeof last - 1;
	memmove(begin, end, strlen(end) + 1);
	return understood;
}

/* ---- the files that were read ---- */

/* "TARGET: a b \", newline, "  c".  Names with spaces and the like are not worth it. */
bool lp_includes_read(const char *list, struct lp_names *names)
{
	size_t size;
	char *text = lp_inputs_read(list, &size), *at = text ? strstr(text, ":") : NULL;

	if (at)
		at++;
	while (at && *at && *at != '\n') {
		at += strspn(at, " ");
		if (at[0] == '\\' && at[1] == '\n') {
			at += 2;
			continue;
		}
		const size_t length = strcspn(at, " \n");
		if (memchr(at, '\\', length) || memchr(at, '$', length)) {
			at = NULL;
		} else if (length) {
			lp_names_add(names, at, length);
			at += length;
		}
	}
	lp_free(text);
	return at;
}

struct translation {
	struct lp_inputs *inputs;
	struct lp_headers *headers;
	const struct lp_include_search *search;
	struct lp_names files;
	struct lp_names quoting; /* folders of files that include by "...", or by a macro */
	struct lp_names asked;   /* by __has_include */
};

static void ask(void *closure, const char *name, size_t length)
{
	struct lp_input_bytes *names = closure;

	LP_RESERVE(names, length + 1);
	memcpy(names->at + names->count, name, length);
	names->at[names->count + length] = '\0';
	names->count += (uint32_t)length + 1;
}

/* Reads a file; false if its translation depends on more than its text.  It has not changed meanwhile, or
 * its stamp, which is taken afterwards, is too young. */
static bool read_header(const char *path, struct lp_header *header, struct lp_input_bytes *names)
{
	size_t size;
	char *text = lp_inputs_read(path, &size);
	bool quotes = false;
	const bool good = text && lp_words_plain(text, size, &quotes, ask, names) &&
			  lp_stamp_of(path, &header->stamp) && header->stamp.size == size;

	if (good)
		header->digest = lp_digest_of(text, size);
	header->quotes = quotes;
	header->asked = names->count;
	lp_free(text);
	return good;
}

static void note_header(struct translation *t, const char *path, const struct lp_header *header, const char *names)
{
	const char *slash = strrchr(path, '/');

	lp_inputs_note_contents(t->inputs, path, &header->stamp, &header->digest);
	if (header->quotes)
		add_once(&t->quoting, path, slash ? (size_t)(slash - path) + (slash == path) : 0);
	for (const char *name = names; name < names + header->asked && *name; name += strlen(name) + 1)
		add_once(&t->asked, name, strlen(name));
}

static void note_file(struct translation *t, const char *path)
{
	const struct lp_header *known = NULL;
	struct lp_header header = { .quotes = 0 };
	struct lp_input_bytes names = { 0 };

	const bool old = lp_stamp_of(path, &header.stamp) && lp_stamp_is_old(&header.stamp, t->inputs->start);
	if (old)
		known = lp_headers_find(t->headers, &header.stamp);
	if (known) {
		note_header(t, path, known, (const char *)(known + 1));
	} else if (read_header(path, &header, &names)) {
		note_header(t, path, &header, names.at);
		if (old && lp_stamp_is_old(&header.stamp, t->inputs->start))
			lp_headers_add(t->headers, header, names.at);
	} else {
		t->inputs->broken = true;
	}
	lp_free(names.at);
}

/* What is left of the path behind the folder; NULL if it is not in there. */
static const char *behind(const char *folder, const char *path)
{
	const size_t length = strlen(folder);

	if (!length)
		return *path == '/' ? NULL : path;
	if (strncmp(path, folder, length) || (path[length] != '/' && folder[length - 1] != '/'))
		return NULL;
	path += length;
	return path + strspn(path, "/");
}

/* `first`: how many folders of the list come before. */
static void note_shadows(struct translation *t, const char *name, uint32_t first)
{
	for (uint32_t i = 0; i < first; i++)
		lp_inputs_note_shadow(t->inputs, t->search->folders.at[i], name);
	for (uint32_t i = 0; i < t->quoting.count; i++)
		lp_inputs_note_shadow(t->inputs, t->quoting.at[i], name);
}

static void note_search(struct translation *t)
{
	const struct lp_include_search *s = t->search;

	for (uint32_t i = 0; i < s->folders.count; i++)
		lp_inputs_note(t->inputs, LP_INPUT_IDENTITY, *s->folders.at[i] ? s->folders.at[i] : ".");
	for (uint32_t i = 0; i < s->ignored.count; i++)
		lp_inputs_note(t->inputs, LP_INPUT_IDENTITY, s->ignored.at[i]);
	for (uint32_t i = 0; i < s->missing.count; i++)
		lp_inputs_note(t->inputs, LP_INPUT_NOTHING, s->missing.at[i]);
}

void lp_includes_note(struct lp_inputs *inputs, const struct lp_store *store, const struct lp_include_search *search,
		      const char *list)
{
	struct lp_headers headers;
	struct translation t = { .inputs = inputs, .headers = &headers, .search = search };
	const uint32_t count = search->folders.count;

	lp_headers_open(&headers, store);
	inputs->broken |= !lp_includes_read(list, &t.files);
	lp_names_add(&t.quoting, "", 0);
	for (uint32_t i = 0; !inputs->broken && i < t.files.count; i++)
		note_file(&t, t.files.at[i]);
	for (uint32_t i = 0; !inputs->broken && i < t.files.count; i++) {
		for (uint32_t f = 0; f < count; f++) {
			const char *name = behind(search->folders.at[f], t.files.at[i]);
			if (name)
				note_shadows(&t, name, f);
		}
	}
	for (uint32_t i = 0; !inputs->broken && i < t.asked.count; i++)
		note_shadows(&t, t.asked.at[i], count);
	note_search(&t);
	lp_headers_close(&headers);
	lp_names_drop(&t.files);
	lp_names_drop(&t.quoting);
	lp_names_drop(&t.asked);
}
