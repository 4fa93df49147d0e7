/* tools.c -- the compiler, the linker and linchpin-fe: their files, and what affects them. */
#define _GNU_SOURCE
#include "frontend/cache/tools.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/cache/includes.h"
#include "frontend/cache/inputs.h"
#include "frontend/compile/binary.h"

static bool is_binary(const char *path)
{
	char start[SELFMAG] = "";
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const bool good = fd >= 0 && read(fd, start, sizeof start) == sizeof start;

	if (fd >= 0)
		close(fd);
	return good && !memcmp(start, ELFMAG, SELFMAG);
}

/* As execvp() looks for it. */
static bool find_in_path(const char *name, char path[static PATH_MAX])
{
	const char *folders = getenv("PATH");
	char file[PATH_MAX];
	struct stat status;

	for (const char *at = folders; at && *at;) {
		const size_t length = strcspn(at, ":");
		const int written = snprintf(file, sizeof file, "%.*s%s%s", (int)length, at, length ? "/" : "", name);
		if (written < (int)sizeof file && !access(file, X_OK) && !stat(file, &status) &&
		    S_ISREG(status.st_mode))
			return realpath(file, path);
		at += length + (at[length] == ':');
	}
	return false;
}

bool lp_tool_find(const char *name, char path[static PATH_MAX])
{
	return (strchr(name, '/') ? realpath(name, path) != NULL : find_in_path(name, path)) && is_binary(path);
}

/* ---- shared libraries ---- */

struct loading {
	struct lp_inputs *inputs;
	const char *tool;        /* its file */
	struct lp_names folders;
};

static void add_folders(void *closure, const char *text)
{
	struct loading *l = closure;
	const size_t own = (size_t)(strrchr(l->tool, '/') - l->tool);
	char folder[PATH_MAX];

	while (*text) {
		const size_t length = strcspn(text, ":");
		const size_t mark = !strncmp(text, "$ORIGIN", 7) ? 7 : !strncmp(text, "${ORIGIN}", 9) ? 9 : 0;
		const int written = snprintf(folder, sizeof folder, "%.*s%.*s", mark ? (int)own : 0, l->tool,
					     (int)(length - mark), text + mark);
		if (written > 0 && written < (int)sizeof folder)
			lp_names_add(&l->folders, folder, (size_t)written);
		text += length + (text[length] == ':');
	}
}

/* Notes the library in the first folder that has it, and that the folders before do not have it.  The
 * system's own folders differ: the library may be in one that is not in our list. */
static void note_library(void *closure, const char *name)
{
	struct loading *l = closure;
	char path[PATH_MAX];

	for (uint32_t i = 0; i < l->folders.count; i++) {
		if (snprintf(path, sizeof path, "%s/%s", l->folders.at[i], name) >= (int)sizeof path)
			continue;
		const bool there = !access(path, R_OK);
		lp_inputs_note(l->inputs, there ? LP_INPUT_STAMP : LP_INPUT_NOTHING, path);
		if (there)
			return;
	}
}

void lp_tool_note(const char *name, struct lp_inputs *inputs)
{
	static const char systems[] =
#if defined(__x86_64__)
		"/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:"
#elif defined(__aarch64__)
		"/lib/aarch64-linux-gnu:/usr/lib/aarch64-linux-gnu:"
#endif
		"/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib";
	const char *first = getenv("LD_LIBRARY_PATH");
	char path[PATH_MAX];
	struct loading l = { .inputs = inputs, .tool = path };
	const int fd = lp_tool_find(name, path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	inputs->broken |= fd < 0;
	if (fd < 0)
		return;
	add_folders(&l, first ? first : "");
	lp_binary_dynamic(fd, DT_RUNPATH, add_folders, &l);
	lp_binary_dynamic(fd, DT_RPATH, add_folders, &l);
	add_folders(&l, systems);
	lp_binary_dynamic(fd, DT_NEEDED, note_library, &l);
	lp_names_drop(&l.folders);
	close(fd);
}

/* ---- folders that clang searches ---- */

/* The folder, and those in it: /usr/lib/gcc/x86_64-linux-gnu/14. */
static void note_folders(struct lp_inputs *inputs, const char *path, int depth)
{
	DIR *folder = opendir(path);
	char below[PATH_MAX];

	lp_inputs_note(inputs, access(path, F_OK) ? LP_INPUT_NOTHING : LP_INPUT_STAMP, path);
	for (struct dirent *e; folder && depth && (e = readdir(folder));)
		if (e->d_name[0] != '.' && (e->d_type == DT_DIR || e->d_type == DT_UNKNOWN || e->d_type == DT_LNK) &&
		    snprintf(below, sizeof below, "%s/%s", path, e->d_name) < (int)sizeof below)
			note_folders(inputs, below, depth - 1);
	if (folder)
		closedir(folder);
}

void lp_tools_note(const char *compiler, struct lp_inputs *inputs)
{
	static const char *const places[] = { "/usr/lib/gcc", "/usr/lib/gcc-cross", "/usr/lib64/gcc", "/usr/lib32/gcc",
					      "/usr/local/lib/gcc", "/opt/rh", "/etc/env.d/gcc" };
	char path[PATH_MAX];

	if (!lp_tool_find(compiler, path)) {
		inputs->broken = true;
		return;
	}
	*strrchr(path, '/') = '\0';
	lp_inputs_note(inputs, LP_INPUT_STAMP, path);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		note_folders(inputs, places[i], 2);
}
