/* fat.c -- object files that contain their twin. */
#define _GNU_SOURCE
#include "frontend/compile/fat.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/compile/binary.h"
#include "frontend/compile/command.h"
#include "frontend/elf_file.h"

#define SECTION ".linchpin"

/* Before each twin; what follows it is filled up to a multiple of 8 bytes, as is the section. */
struct header {
	char magic[8];
	uint64_t version, text_size, twin_size;
};
static const char magic[8] = { 'l', 'i', 'n', 'c', 'h', 'p', 'i', 'n' };
enum { VERSION = 2, SHOWN = 5 };

static size_t filled(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

static void names_drop(struct lp_unit_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		lp_free(names->at[i]);
	lp_free(names->at);
	*names = (struct lp_unit_names){ 0 };
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort(struct lp_unit_names *names)
{
	if (names->count)
		qsort(names->at, names->count, sizeof *names->at, by_name);
}

/* How often the name is among them, which are sorted. */
static uint32_t times(const struct lp_unit_names *names, const char *name)
{
	char **at = names->count ? bsearch(&name, names->at, names->count, sizeof *names->at, by_name) :
				   NULL;
	uint32_t n = 0;

	while (at && at > names->at && !strcmp(at[-1], name))
		at--;
	for (; at && at < names->at + names->count && !strcmp(*at, name); at++)
		n++;
	return n;
}

/* ---- writing ---- */

static bool put_symbol(void *closure, const struct lp_elf_symbol *symbol)
{
	if (symbol->defined)
		fprintf(closure, "symbol %s\n", symbol->name);
	return true;
}

/* A source is a line, too. */
static void put_line(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	fputc('\n', out);
}

static char *describe(const char *object, const char *source, size_t *size, struct lp_error *error)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	const int fd = open(object, O_RDONLY | O_CLOEXEC);
	bool good = out && fd >= 0;

	if (good) {
		fputs("source ", out);
		put_line(out, source);
		good = lp_elf_symbols(fd, put_symbol, out, error);
	} else {
		lp_fail(error, "cannot read '%s': %s", object, strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	if (out)
		fclose(out);
	if (good)
		return text;
	free(text);
	return NULL;
}

static bool write_piece(const char *path, const char *text, size_t text_size, const char *twin,
			size_t twin_size)
{
	static const char zeros[8] = "";
	struct header h = { .version = VERSION, .text_size = text_size, .twin_size = twin_size };
	FILE *out = fopen(path, "we");

	memcpy(h.magic, magic, sizeof magic);
	bool good = out && fwrite(&h, sizeof h, 1, out) == 1 &&
		    fwrite(text, 1, text_size, out) == text_size &&
		    fwrite(zeros, 1, filled(text_size) - text_size, out) == filled(text_size) - text_size &&
		    fwrite(twin, 1, twin_size, out) == twin_size &&
		    fwrite(zeros, 1, filled(twin_size) - twin_size, out) == filled(twin_size) - twin_size;
	return out && !fclose(out) && good;
}

bool lp_fat_write(const char *object, const char *twin, const char *source, const char *folder,
		  struct lp_error *error)
{
	struct lp_command command = { 0 };
	char piece[96], add[128];
	size_t text_size = 0, twin_size = 0;
	char *text = describe(object, source, &text_size, error);
	char *bytes = lp_binary_read(twin, &twin_size);
	bool done = false;

	snprintf(piece, sizeof piece, "%s/piece", folder);
	snprintf(add, sizeof add, SECTION "=%s", piece);
	if (!text)
		goto out;
	if (!bytes || !write_piece(piece, text, text_size, bytes, twin_size)) {
		lp_fail(error, "cannot write '%s': %s", piece, strerror(errno));
		goto out;
	}
	const char *const words[] = { "objcopy", "--remove-section", SECTION, "--add-section", add,
				      "--set-section-alignment", SECTION "=8", object, NULL };
	for (const char *const *word = words; *word; word++)
		lp_command_add(&command, *word);
	done = lp_command_run(&command, "objcopy", error);
	lp_command_drop(&command);
out:
	free(text);
	lp_free(bytes);
	return done;
}

/* ---- reading ---- */

struct reader {
	struct lp_units *units;
	const char *path, *folder;
	struct lp_findings *findings;
	struct lp_error *error;
	struct lp_unit_names folders; /* the folders of libraries that it needs */
};

/* Cuts the text of a twin into lines.  Symbols go to `symbols`. */
static void take_text(struct lp_unit *unit, char *text, struct lp_unit_names *symbols)
{
	char *rest = text;

	for (char *line; (line = strsep(&rest, "\n"));) {
		if (!strncmp(line, "source ", 7) && !unit->source) {
			unit->source = lp_strdup(line + 7);
		} else if (!strncmp(line, "symbol ", 7)) {
			LP_PUSH(symbols, lp_strdup(line + 7));
		}
	}
}

/* All twins in a section. */
static bool take_twins(struct reader *r, const char *from, const char *bytes, size_t size,
		       struct lp_unit_names *symbols)
{
	size_t at = 0;

	while (at + sizeof(struct header) <= size) {
		struct header h;
		uint64_t word;
		memcpy(&word, bytes + at, sizeof word);
		if (!word) { /* between two sections that were put together */
			at += 8;
			continue;
		}
		memcpy(&h, bytes + at, sizeof h);
		at += sizeof h;
		if (memcmp(h.magic, magic, sizeof magic) || h.version != VERSION ||
		    h.text_size > size - at || filled(h.text_size) > size - at ||
		    h.twin_size > size - at - filled(h.text_size))
			return lp_fail(r->error, "'%s': what `linchpin cc` has put there is damaged, or of "
				       "another version: rebuild it", from);
		struct lp_unit unit = { .from = lp_strdup(from), .size = h.twin_size };
		char *text = lp_alloc_zero(h.text_size + 1, 1);
		memcpy(text, bytes + at, h.text_size);
		take_text(&unit, text, symbols);
		lp_free(text);
		at += filled(h.text_size);
		unit.twin = lp_alloc_zero(h.twin_size + 1, 1);
		memcpy(unit.twin, bytes + at, h.twin_size);
		at += filled(h.twin_size);
		if (!unit.source)
			unit.source = lp_strdup(from);
		LP_PUSH(r->units, unit);
	}
	return true;
}

/* What compilers and the C library add to everything that is linked.  Names that C leaves to
 * them are theirs (_Z is C++'s mark). */
static bool is_systems(const char *name)
{
	static const char *const names[] = {
		"deregister_tm_clones", "register_tm_clones", "frame_dummy", "completed.0", "data_start",
		"_start", "_init", "_fini", "_edata", "_end", "atexit", "at_quick_exit", "_dl_relocate_static_pie",
		NULL
	};

	for (const char *const *n = names; *n; n++)
		if (!strcmp(name, *n))
			return true;
	return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z' && name[1] != 'Z'));
}

/* A variable of a shared library, "_ZSt4cout@GLIBCXX_3.4", of which a program has the only copy. */
static bool is_copy(const struct lp_elf_symbol *symbol)
{
	const char *at = symbol->object ? strchr(symbol->name, '@') : NULL;

	return at && at[1] != '@';
}

static bool note_defined(void *closure, const struct lp_elf_symbol *symbol)
{
	struct lp_unit_names *defined = closure;

	if (symbol->defined && !is_copy(symbol) && (symbol->function || symbol->object || symbol->thread_local_))
		LP_PUSH(defined, lp_strdup(symbol->name));
	return true;
}

/* Names what is defined by a file that no twin is of; of static functions and variables there
 * may be several of one name. */
static bool name_foreign(struct reader *r, int fd, const char *from,
			   const struct lp_unit_names *symbols)
{
	struct lp_unit_names defined = { 0 };
	uint32_t count = 0;
	char names[256] = "";

	if (!lp_elf_symbols(fd, note_defined, &defined, r->error)) {
		names_drop(&defined);
		return false;
	}
	sort(&defined);
	for (uint32_t i = 0; i < defined.count; i++) {
		const char *name = defined.at[i];
		if ((i && !strcmp(name, defined.at[i - 1])) || is_systems(name) ||
		    times(&defined, name) <= times(symbols, name))
			continue;
		const size_t used = strlen(names);
		LP_PUSH(&r->units->foreign, lp_strdup(name));
		LP_PUSH(&r->units->foreign_files, lp_strdup(from));
		if (count++ < SHOWN)
			snprintf(names + used, sizeof names - used, "%s'%s'", used ? ", " : "", name);
	}
	if (count)
		lp_findings_add(r->findings,
				"'%s' has parts that were not compiled by `linchpin cc`, which linchpin does not see: "
				"they define %s%s", from, names, count > SHOWN ? " and more" : "");
	else if (!defined.count)
		lp_findings_add(r->findings,
				"'%s' has no symbols (it was stripped): it cannot be told whether all of it was "
				"compiled by `linchpin cc`", from);
	names_drop(&defined);
	return true;
}

static bool note_global(void *closure, const struct lp_elf_symbol *symbol)
{
	struct lp_unit_names *names = closure;

	if (symbol->defined && symbol->global)
		LP_PUSH(names, lp_strdup(symbol->name));
	return true;
}

/* An object file, or one that was linked.  `member`: of an archive. */
static bool read_one(struct reader *r, int fd, const char *from, bool member)
{
	const uint32_t first = r->units->count;
	struct lp_unit_names symbols = { 0 };
	size_t size;
	char *bytes = lp_binary_section(fd, SECTION, &size);
	bool good = !bytes || take_twins(r, from, bytes, size, &symbols);

	lp_free(bytes);
	sort(&symbols);
	if (good && r->units->count > first) {
		good = name_foreign(r, fd, from, &symbols);
	} else if (good) { /* a member of an archive, which may not be needed */
		LP_PUSH(r->units, (struct lp_unit){ .from = lp_strdup(from) });
	}
	for (uint32_t i = first; good && member && i < r->units->count; i++) {
		r->units->at[i].member = true;
		good = lp_elf_symbols(fd, note_global, &r->units->at[i].defines, r->error);
		sort(&r->units->at[i].defines);
	}
	names_drop(&symbols);
	return good;
}

static bool read_member(void *closure, const char *name, const char *bytes, size_t size)
{
	struct reader *r = closure;
	char file[96], from[PATH_MAX];
	bool good = false;

	snprintf(file, sizeof file, "%s/member", r->folder);
	snprintf(from, sizeof from, "%s(%s)", r->path, name);
	if (!lp_binary_write(file, bytes, size))
		return lp_fail(r->error, "cannot write '%s': %s", file, strerror(errno));
	const int fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		good = lp_binary_kind(file) != LP_BINARY_OBJECT || read_one(r, fd, from, true);
		close(fd);
	}
	unlink(file);
	return good;
}

/* The folders in which the dynamic linker would look, and that of the file itself. */
static void note_folders(void *closure, const char *text)
{
	struct reader *r = closure;
	const char *slash = strrchr(r->path, '/');
	const int own = slash ? (int)(slash - r->path) : 1;
	const char *origin = slash ? r->path : ".";
	char folder[PATH_MAX];

	while (*text) {
		const size_t length = strcspn(text, ":");
		const size_t mark = !strncmp(text, "$ORIGIN", 7) ? 7 : !strncmp(text, "${ORIGIN}", 9) ? 9 : 0;
		snprintf(folder, sizeof folder, "%.*s%.*s", mark ? own : 0, origin,
			 (int)(length - mark), text + mark);
		LP_PUSH(&r->folders, lp_strdup(folder));
		text += length + (text[length] == ':');
	}
}

/* What the build itself has made is in one of these folders; everything else is the system's. */
static void note_needed(void *closure, const char *name)
{
	struct reader *r = closure;
	const char *found = name;
	char path[PATH_MAX];

	for (uint32_t i = 0; found == name && i < r->folders.count; i++) {
		snprintf(path, sizeof path, "%s/%s", r->folders.at[i], name);
		if (!access(path, R_OK))
			found = path;
	}
	for (uint32_t i = 0; i < r->units->needed.count; i++)
		if (!strcmp(r->units->needed.at[i], found))
			return;
	LP_PUSH(&r->units->needed, lp_strdup(found));
}

bool lp_fat_read(struct lp_units *units, const char *path, const char *folder,
		 struct lp_findings *findings, struct lp_error *error)
{
	struct reader r = { .units = units, .path = path, .folder = folder, .findings = findings,
			    .error = error };
	const enum lp_binary kind = lp_binary_kind(path);

	if (kind == LP_BINARY_ARCHIVE)
		return lp_binary_archive_members(path, read_member, &r, error);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || kind == LP_BINARY_NONE) {
		if (fd >= 0)
			close(fd);
		return lp_fail(error, "cannot read '%s': it is not an object file", path);
	}
	const bool good = read_one(&r, fd, path, false);
	if (good && kind == LP_BINARY_LINKED) {
		lp_binary_dynamic(fd, DT_RUNPATH, note_folders, &r);
		lp_binary_dynamic(fd, DT_RPATH, note_folders, &r);
		note_folders(&r, "$ORIGIN");
		lp_binary_dynamic(fd, DT_NEEDED, note_needed, &r);
	}
	names_drop(&r.folders);
	close(fd);
	return good;
}

static bool is_fat_member(void *closure, const char *name, const char *bytes, size_t size)
{
	(void)name;
	/* Good enough to tell: the name of the section is there, in its table of names. */
	if (memmem(bytes, size, SECTION, sizeof SECTION))
		*(bool *)closure = true;
	return true;
}

bool lp_fat_is(const char *path)
{
	const enum lp_binary kind = lp_binary_kind(path);
	bool found = false;
	size_t size;

	if (kind == LP_BINARY_ARCHIVE) {
		lp_binary_archive_members(path, is_fat_member, &found, NULL);
	} else if (kind != LP_BINARY_NONE) {
		const int fd = open(path, O_RDONLY | O_CLOEXEC);
		char *bytes = fd >= 0 ? lp_binary_section(fd, SECTION, &size) : NULL;
		found = bytes;
		lp_free(bytes);
		if (fd >= 0)
			close(fd);
	}
	return found;
}

void lp_units_drop(struct lp_units *units)
{
	for (uint32_t i = 0; i < units->count; i++) {
		struct lp_unit *u = &units->at[i];
		lp_free(u->source);
		lp_free(u->from);
		lp_free(u->twin);
		names_drop(&u->defines);
	}
	lp_free(units->at);
	names_drop(&units->needed);
	names_drop(&units->words);
	names_drop(&units->foreign);
	names_drop(&units->foreign_files);
	*units = (struct lp_units){ 0 };
}
