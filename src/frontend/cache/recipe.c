/* recipe.c -- describes a compilation completely, and decides whether its result may be kept. */
#define _GNU_SOURCE
#include "frontend/cache/recipe.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/cache/inputs.h"
#include "frontend/cache/risky_words.h"
#include "frontend/cache/tools.h"
#include "frontend/compile/binary.h"
#include "frontend/compile/command.h"
#include "frontend/compile/fat.h"
#include "frontend/compile/units.h"

extern char **environ;

/* ---- flags ---- */

struct flag {
	const char *text;
	enum { ALONE, BEGINS, TAKES } kind;
};

static const struct flag flags[] = {
#define LP_FLAG(text) { text, ALONE },
#define LP_FLAG_BEGINS(text) { text, BEGINS },
#define LP_FLAG_TAKES(text) { text, TAKES },
#include "frontend/cache/flags.def"
#undef LP_FLAG
#undef LP_FLAG_BEGINS
#undef LP_FLAG_TAKES
};

/* -Wp, and the like are for other programs. */
static bool is_warning(const char *word)
{
	return !strncmp(word, "-W", 2) && !strchr(word, ',');
}

static void asked_there(void *closure, const char *name, size_t length)
{
	(void)name;
	(void)length;
	*(bool *)closure = true;
}

/* A macro's text is source, too. */
static bool is_plain(const char *word)
{
	bool quotes = false, asked = false;

	return lp_words_plain(word, strlen(word), &quotes, asked_there, &asked) && !asked;
}

/* How many words the flag has; 0 if it is not known. */
static uint32_t known(const struct lp_command *c, uint32_t at)
{
	const char *word = c->at[at];

	if (is_warning(word))
		return 1;
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		const struct flag *f = &flags[i];
		const size_t length = strlen(f->text);
		if (f->kind == TAKES && !strcmp(word, f->text))
			return at + 1 < c->count && is_plain(c->at[at + 1]) ? 2 : 0;
		if (f->kind == ALONE ? !strcmp(word, f->text) :
		    f->kind == BEGINS && !strncmp(word, f->text, length) && word[length])
			return is_plain(word) ? 1 : 0;
	}
	return 0;
}

static bool are_known(const struct lp_command *c)
{
	for (uint32_t i = 0, words; i < c->count; i += words)
		if (!(words = known(c, i)))
			return false;
	return true;
}

static void add_words(struct lp_digester *d, const struct lp_command *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		lp_digest_add_text(d, c->at[i]);
	lp_digest_add_text(d, "");
}

/* ---- files ---- */

static bool add_contents(struct lp_digester *d, const char *path)
{
	size_t size = 0;
	char *bytes = lp_inputs_read(path, &size);

	if (!bytes)
		return false;
	const struct lp_digest digest = lp_digest_of(bytes, size);
	lp_digest_add_text(d, path);
	lp_digest_add(d, &digest, sizeof digest);
	lp_free(bytes);
	return true;
}

static bool add_sources(struct lp_digester *d, const struct lp_command *sources)
{
	bool good = true;

	for (uint32_t i = 0; good && i < sources->count; i++)
		good = add_contents(d, sources->at[i]);
	lp_digest_add_text(d, "");
	return good;
}

/* Members of a thin archive, and libraries that a library needs, are in other files. */
static bool stands_alone(const char *path)
{
	char start[8] = "";
	const enum lp_binary kind = lp_binary_kind(path);
	size_t size = 0;

	if (kind == LP_BINARY_LINKED)
		return !lp_fat_is(path);
	if (kind != LP_BINARY_ARCHIVE)
		return kind == LP_BINARY_OBJECT;
	char *bytes = lp_inputs_read(path, &size);
	if (bytes && size > sizeof start)
		memcpy(start, bytes, sizeof start);
	lp_free(bytes);
	return !memcmp(start, "!<arch>\n", sizeof start);
}

static bool is_systems(const char *name)
{
	static const char *const names[] = { "m", "c", "pthread", "rt", "dl", "atomic", "stdc++" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* The file that a word for the linker stands for, or NULL; -L and -l may be followed by their argument.  The
 * library of a build is found as it is later on (units.h). */
static const char *linked_file(const struct lp_command *link, uint32_t *at, char path[static PATH_MAX])
{
	const char *word = link->at[*at];
	const bool alone = (!strcmp(word, "-L") || !strcmp(word, "-l")) && *at + 1 < link->count;
	const char *name = alone ? link->at[++*at] : word + 2;

	if (*word != '-')
		return word;
	return !strncmp(word, "-l", 2) && lp_units_library(link, name, path) ? path : NULL;
}

/* The key has their contents; they must not have changed since. */
static void note_linked(const struct lp_command *link, struct lp_inputs *inputs)
{
	char path[PATH_MAX];

	for (uint32_t i = 0; i < link->count; i++) {
		const char *file = linked_file(link, &i, path);
		struct lp_stamp stamp;
		size_t size = 0;
		char *bytes = file ? lp_inputs_read(file, &size) : NULL;
		const struct lp_digest digest = bytes ? lp_digest_of(bytes, size) : (struct lp_digest){ 0 };
		if (bytes && lp_stamp_of(file, &stamp) && stamp.size == size)
			lp_inputs_note_contents(inputs, file, &stamp, &digest);
		else if (file)
			inputs->broken = true;
		lp_free(bytes);
	}
}

/* What the linker gets: files, -L and -l.  Of the system's libraries, the linker tells which files they are. */
static bool add_link(struct lp_digester *d, const struct lp_command *link)
{
	char path[PATH_MAX];

	for (uint32_t i = 0; i < link->count; i++) {
		const char *word = link->at[i], *file = linked_file(link, &i, path);
		const char *name = word == link->at[i] ? word + 2 : link->at[i];
		lp_digest_add_text(d, word);
		lp_digest_add_text(d, link->at[i]);
		if (file ? !stands_alone(file) || !add_contents(d, file) :
			   strncmp(word, "-L", 2) && (strncmp(word, "-l", 2) || !is_systems(name)))
			return false;
	}
	lp_digest_add_text(d, ".");
	return true;
}

/* ---- the environment ---- */

static bool is_one_of(const char *variable, const char *const *names)
{
	for (; *names; names++) {
		const size_t length = strlen(*names);
		const bool any = (*names)[length - 1] == '*';
		if (!strncmp(variable, *names, length - any) && (any || variable[length] == '='))
			return true;
	}
	return false;
}

/* Variables that add flags, or files that are written. */
static bool environment_is_plain(void)
{
	static const char *const no[] = { "CCC_OVERRIDE_OPTIONS", "CC_PRINT_*", "CC_LOG_*", "DEPENDENCIES_OUTPUT",
					  "SUNPRO_DEPENDENCIES", "LD_PRELOAD", "LD_AUDIT", NULL };

	for (char **e = environ; *e; e++)
		if (is_one_of(*e, no))
			return false;
	return true;
}

bool lp_recipe_is_plain(const struct lp_command *compile)
{
	return are_known(compile) && environment_is_plain();
}

static void add_environment(struct lp_digester *d)
{
	static const char *const yes[] = {
		"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "OBJCPLUS_INCLUDE_PATH",
		"SOURCE_DATE_EPOCH", "CCC_*", "CLANG_*", "LLVM_*", "GCC_*", "COLLECT_*", "COMPILER_PATH", "LIBRARY_PATH",
		"LD_*", "LDEMULATION", "GNUTARGET", "SDKROOT", "PWD", NULL
	};

	for (char **e = environ; *e; e++)
		if (is_one_of(*e, yes))
			lp_digest_add_text(d, *e);
	lp_digest_add_text(d, "");
}

static bool add_working_folder(struct lp_digester *d)
{
	char path[PATH_MAX];

	if (!getcwd(path, sizeof path))
		return false;
	lp_digest_add_text(d, path);
	return true;
}

/* ---- programs ---- */

static bool add_tool(struct lp_digester *d, const char *name)
{
	struct lp_stamp stamp;
	char path[PATH_MAX];

	if (!name)
		return true;
	if (!lp_tool_find(name, path) || !lp_stamp_of(path, &stamp))
		return false;
	lp_digest_add_text(d, name);
	lp_digest_add_text(d, path);
	lp_digest_add(d, &stamp, sizeof stamp);
	return true;
}

/* A program such as ccache, under the name of a compiler, could run any compiler. */
static bool is_clang(const char *name)
{
	char path[PATH_MAX];

	return !name || (lp_tool_find(name, path) && !strncmp(strrchr(path, '/') + 1, "clang", 5));
}

/* The clang that is part of the instrumenter changes with it. */
static bool add_compilers(struct lp_digester *d, const struct lp_recipe *r)
{
	return r->own || (is_clang(r->compiler) && is_clang(r->compilerxx) && add_tool(d, r->compiler) &&
			  add_tool(d, r->compilerxx));
}

bool lp_recipe_key(const struct lp_recipe *r, struct lp_digest *key)
{
	struct lp_digester d;

	if (!lp_recipe_is_plain(r->compile))
		return false;
	lp_digest_begin(&d);
	lp_digest_add_text(&d, r->what);
	lp_digest_add_text(&d, r->include);
	add_words(&d, r->compile);
	add_environment(&d);
	if (!add_working_folder(&d) || !add_link(&d, r->link) || !add_tool(&d, "/proc/self/exe") ||
	    !add_compilers(&d, r) || !add_tool(&d, r->instrumenter) || !add_tool(&d, r->linker) ||
	    !add_sources(&d, r->sources))
		return false;
	*key = lp_digest_end(&d);
	return true;
}

/* -include FILE takes FILE.pch, if there is one. */
static void note_precompiled(const struct lp_command *c, struct lp_inputs *inputs)
{
	static const char *const endings[] = { ".pch", ".gch" };

	for (uint32_t i = 0; i + 1 < c->count; i++) {
		for (int e = 0; !strcmp(c->at[i], "-include") && e < 2; e++) {
			char path[PATH_MAX];
			if (strlen(c->at[i + 1]) + 5 > sizeof path) {
				inputs->broken = true;
				continue;
			}
			strcat(strcpy(path, c->at[i + 1]), endings[e]);
			lp_inputs_note(inputs, LP_INPUT_NOTHING, path);
		}
	}
}

void lp_recipe_note(const struct lp_recipe *r, struct lp_inputs *inputs)
{
	const char *const tools[] = { r->own ? NULL : r->compiler, r->instrumenter, r->linker };

	lp_inputs_note(inputs, LP_INPUT_NOTHING, "linchpin/builtins.h.pch");
	lp_inputs_note(inputs, LP_INPUT_NOTHING, "linchpin/builtins.h.gch");
	note_precompiled(r->compile, inputs);
	note_linked(r->link, inputs);
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		if (tools[i])
			lp_tool_note(tools[i], inputs);
	lp_tools_note(r->compiler, inputs);
}
