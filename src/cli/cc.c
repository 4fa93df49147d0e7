/* cc.c -- `linchpin cc`: the user's compiler, which also compiles for linchpin.
 *
 *     make CC="linchpin cc" CXX="linchpin cc --cc g++"
 *     linchpin check harness.c -- libqueue.a
 *
 * The compiler runs with exactly the arguments given.  Then each C or C++ file that it has compiled is
 * compiled once more, for linchpin, and the result is put into the object file, where only linchpin
 * looks for it (frontend/compile/fat.h).  Programs and libraries made of such objects can be checked.
 * Linking, preprocessing and so on are left to the compiler.
 *
 * A file that cannot be compiled for linchpin does not make the build fail.  linchpin prints a warning, and another one
 * when a program that contains the file is checked.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/vec.h"
#include "cli/commands.h"
#include "frontend/compile/words_file.h"
#include "frontend/compile/command.h"
#include "frontend/compile/compile.h"
#include "frontend/compile/fat.h"

struct cc {
	const char *compiler;
	char include[512];
	struct lp_words words;      /* of the command line, @files put in place */
	struct lp_command sources;  /* among them */
	const char *output;         /* -o */
	bool compiles;              /* -c */
	bool links;                 /* and does not only preprocess, say */
	char folder[64];
};

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(word, *list))
			return true;
	return false;
}

/* Options whose argument is the next word. */
static bool takes_argument(const char *word)
{
	static const char *const list[] = {
		"-o", "-x", "-I", "-D", "-U", "-L", "-l", "-B", "-T", "-u", "-z", "-e", "-A", "-include",
		"-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix",
		"-iwithprefixbefore", "-isysroot", "-imultilib", "-Xlinker", "-Xassembler", "-Xpreprocessor",
		"-Xclang", "-MF", "-MT", "-MQ", "-MJ", "--param", "-target", "-mllvm", "-aux-info", "-dumpbase",
		"-dumpdir", "-dumpbase-ext", "-arch", "-wrapper", "--sysroot", "-rpath", NULL
	};
	return is_one_of(word, list);
}

static bool ends_in(const char *name, const char *const *endings)
{
	const char *dot = strrchr(name, '.');
	return dot && is_one_of(dot, endings);
}

/* Files that linchpin also compiles for itself.  Assembly is only passed to the compiler. */
static bool is_source(const char *word)
{
	static const char *const endings[] = { ".c", ".i", ".cc", ".cpp", ".cxx", ".C", ".c++", ".ii", NULL };
	return word[0] != '-' && ends_in(word, endings);
}

/* Is the word an option with which the compiler produces nothing that could be checked? */
static bool stops_early(const char *word)
{
	static const char *const list[] = { "-E", "-S", "-M", "-MM", "-fsyntax-only", "-v", "-###",
					    "--version", "--help", NULL };
	return is_one_of(word, list) || !strncmp(word, "-print-", 7) || !strncmp(word, "-dump", 5);
}

static void understand(struct cc *cc)
{
	cc->links = true;
	for (uint32_t i = 0; i < cc->words.count; i++) {
		const char *word = cc->words.at[i];
		if (!strcmp(word, "-c"))
			cc->compiles = true;
		else if (!strcmp(word, "-o") && i + 1 < cc->words.count)
			cc->output = cc->words.at[++i];
		else if (!strncmp(word, "-o", 2) && word[2])
			cc->output = word + 2;
		else if (takes_argument(word))
			i++;
		else if (stops_early(word))
			cc->links = false;
		else if (is_source(word))
			lp_command_add(&cc->sources, word);
	}
	cc->links &= !cc->compiles;
}

/* ---- what linchpin's compilation is given ---- */

/* Flags that linchpin's compilation leaves out: for further output files, for other instrumentation, and for linkers. */
static bool is_dropped(const char *word)
{
	static const char *const exact[] = {
		"-c", "-MD", "-MMD", "-MP", "-MG", "-pg", "--coverage", "-coverage", "-shared", "-static", "-pie",
		"-no-pie", "-static-pie", "-rdynamic", "-s", "-r", "-nostdlib", "-nostartfiles", "-nodefaultlibs",
		"-pipe", "-pedantic-errors", NULL
	};
	static const char *const prefixes[] = {
		"-fsanitize", "-fno-sanitize", "-fprofile", "-ftest-coverage", "-flto", "-fuse-ld", "-save-temps",
		"-Werror", "-Wl,", "-l", "-L", "-MF", "-MT", "-MQ", "-static-lib", "-gsplit-dwarf",
		"-fdump", "-fopt-info", "-ftime-report", "-fstack-usage", "-fcallgraph-info", NULL
	};

	if (is_one_of(word, exact))
		return true;
	for (const char *const *p = prefixes; *p; p++)
		if (!strncmp(word, *p, strlen(*p)))
			return true;
	return false;
}

/* The flags for the twin of a source; -w, since the compiler has already printed its warnings. */
static void flags_for_twin(const struct cc *cc, struct lp_command *flags)
{
	static const char *const alone[] = { "-o", "-L", "-l", "-T", "-u", "-z", "-e", "-MF", "-MT", "-MQ",
					     "-MJ", "-Xlinker", "-rpath", "-dumpbase", "-dumpdir",
					     "-dumpbase-ext", "-aux-info", NULL };

	for (uint32_t i = 0; i < cc->words.count; i++) {
		const char *word = cc->words.at[i];
		if (takes_argument(word)) {
			if (!is_one_of(word, alone) && i + 1 < cc->words.count) {
				lp_command_add(flags, word);
				lp_command_add(flags, cc->words.at[i + 1]);
			}
			i++;
		} else if (word[0] == '-' && word[1] && strncmp(word, "-o", 2) && !is_dropped(word)) {
			lp_command_add(flags, word);
		}
	}
	lp_command_add(flags, "-w");
	lp_command_add(flags, NULL);
}

static bool is_file(const char *path)
{
	struct stat status;
	return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* Puts the twin of the source into its object, or warns that it cannot. */
static void add_twin(const struct cc *cc, const char *source, const char *object)
{
	struct lp_command flags = { 0 };
	struct lp_error error = { .hint = "" };
	char twin[96];

	flags_for_twin(cc, &flags);
	const struct lp_compile_request request = { .file = source, .flags = flags.at };
	snprintf(twin, sizeof twin, "%s/twin.bc", cc->folder);
	if (is_file(object) &&
	    (!lp_compile_twin(&request, cc->folder, &error) ||
	     !lp_fat_write(object, twin, source, cc->folder, &error)))
		fprintf(stderr, "linchpin cc: '%s' will not be seen by linchpin: %s\n", source, error.text);
	lp_command_drop(&flags);
}

/* ---- what the compiler is given ---- */

/* Runs it.  Its status, or -1 with the error. */
static int compile(struct lp_command *command, struct lp_error *error)
{
	int status = -1;

	if (!lp_command_talk(command, "the compiler", &status, error))
		status = -1;
	lp_command_drop(command);
	return status;
}

/* Makes linchpin.h available, and switches link-time optimisation off, so that objects contain machine code. */
static void add_ours(const struct cc *cc, struct lp_command *command)
{
	if (cc->include[0]) {
		lp_command_add(command, "-idirafter");
		lp_command_add(command, cc->include);
	}
	lp_command_add(command, "-fno-lto");
}

/* "src/queue.c" is compiled into "queue.o". */
static void object_of(const char *source, char *out, size_t size)
{
	const char *slash = strrchr(source, '/');
	const char *name = slash ? slash + 1 : source;

	snprintf(out, size, "%.*s.o", (int)(strrchr(name, '.') - name), name);
}

/* With -c: everything at once, as it was asked for. */
static int compile_only(const struct cc *cc, struct lp_error *error)
{
	struct lp_command command = { 0 };
	char object[PATH_MAX];

	lp_command_add(&command, cc->compiler);
	for (uint32_t i = 0; i < cc->words.count; i++)
		lp_command_add(&command, cc->words.at[i]);
	add_ours(cc, &command);
	const int status = compile(&command, error);
	for (uint32_t i = 0; !status && i < cc->sources.count; i++) {
		object_of(cc->sources.at[i], object, sizeof object);
		add_twin(cc, cc->sources.at[i],
			 cc->output && cc->sources.count == 1 ? cc->output : object);
	}
	return status;
}

/* Without -c: each source into an object of its own, with its twin, and then the rest. */
static int compile_each(const struct cc *cc, struct lp_error *error)
{
	char object[96], depends[PATH_MAX];
	int status = 0;

	for (uint32_t s = 0; !status && s < cc->sources.count; s++) {
		struct lp_command command = { 0 };
		bool writes_depends = false, named = false;
		lp_command_add(&command, cc->compiler);
		for (uint32_t i = 0; i < cc->words.count; i++) {
			const char *word = cc->words.at[i];
			const bool two = takes_argument(word) && i + 1 < cc->words.count;
			writes_depends |= !strcmp(word, "-MD") || !strcmp(word, "-MMD");
			named |= !strncmp(word, "-MF", 3);
			if (two && strcmp(word, "-o") && strcmp(word, "-l") && strcmp(word, "-L") &&
			    strcmp(word, "-Xlinker")) {
				lp_command_add(&command, word);
				lp_command_add(&command, cc->words.at[i + 1]);
			} else if (!two && word[0] == '-' && strncmp(word, "-o", 2) &&
				   strncmp(word, "-l", 2) && strncmp(word, "-L", 2) &&
				   strncmp(word, "-Wl,", 4)) {
				lp_command_add(&command, word);
			}
			i += two;
		}
		add_ours(cc, &command);
		object_of(cc->sources.at[s], depends, sizeof depends);
		depends[strlen(depends) - 1] = 'd';
		if (writes_depends && !named) {
			lp_command_add(&command, "-MF");
			lp_command_add(&command, depends);
		}
		snprintf(object, sizeof object, "%s/s%u.o", cc->folder, s);
		const char *const last[] = { "-c", cc->sources.at[s], "-o", object, NULL };
		for (const char *const *word = last; *word; word++)
			lp_command_add(&command, *word);
		status = compile(&command, error);
		if (!status)
			add_twin(cc, cc->sources.at[s], object);
	}
	return status;
}

/* The same words, with an object in the place of each source. */
static int link_objects(const struct cc *cc, struct lp_error *error)
{
	struct lp_command command = { 0 };
	struct lp_words names = { 0 };
	uint32_t number = 0;

	lp_command_add(&command, cc->compiler);
	for (uint32_t i = 0; i < cc->words.count; i++) {
		const char *word = cc->words.at[i];
		char object[96];
		if (!strcmp(word, "-x")) {
			i++; /* objects are not sources in a language */
		} else if (takes_argument(word) && i + 1 < cc->words.count) {
			lp_command_add(&command, word);
			lp_command_add(&command, cc->words.at[++i]);
		} else if (is_source(word)) {
			snprintf(object, sizeof object, "%s/s%u.o", cc->folder, number++);
			LP_PUSH(&names, lp_strdup(object));
			lp_command_add(&command, LP_LAST(&names));
		} else if (strncmp(word, "-M", 2)) {
			lp_command_add(&command, word);
		}
	}
	const int status = compile(&command, error);
	lp_words_drop(&names);
	return status;
}

/* If nothing that could be checked is compiled, this process executes the compiler. */
static int hand_over(const struct cc *cc, struct lp_error *error)
{
	struct lp_command command = { 0 };

	lp_command_add(&command, cc->compiler);
	for (uint32_t i = 0; i < cc->words.count; i++)
		lp_command_add(&command, cc->words.at[i]);
	if (cc->sources.count && cc->include[0]) {
		lp_command_add(&command, "-idirafter");
		lp_command_add(&command, cc->include);
	}
	lp_command_add(&command, NULL);
	execvp(command.at[0], (char *const *)command.at);
	lp_fail(error, "cannot run the compiler '%s': %s", command.at[0], strerror(errno));
	lp_command_drop(&command);
	return -1;
}

/* Finds the compiler: --cc COMPILER, which must come first, or that of the environment, or gcc (g++).  Returns
 * how many words this took, or -1 with the error set. */
static int take_compiler(struct cc *cc, const char *usual, const char *const *words, int count,
			 struct lp_error *error)
{
	const char *named = getenv(strstr(usual, "++") ? "LINCHPIN_CXX" : "LINCHPIN_CC");

	cc->compiler = named && *named ? named : usual;
	if (count && !strncmp(words[0], "--cc=", 5)) {
		cc->compiler = words[0] + 5;
		return 1;
	}
	if (!count || strcmp(words[0], "--cc"))
		return 0;
	if (count > 1) {
		cc->compiler = words[1];
		return 2;
	}
	lp_fail(error, "option '--cc' takes an argument: COMPILER");
	return -1;
}

int lp_cli_cc(const struct lp_options *options)
{
	struct cc cc = { .output = NULL };
	struct lp_error error = { .hint = "" };
	int status = -1;
	const int used = take_compiler(&cc, options->at[LP_OPT_BEHIND_CC].text, options->flags,
				      options->flag_count, &error);

	if (used >= 0 && lp_words_expand(&cc.words, options->flags + used, options->flag_count - used,
					 &error)) {
		lp_compile_include(cc.include);
		understand(&cc);
		if (!cc.sources.count || (!cc.compiles && !cc.links)) {
			status = hand_over(&cc, &error);
		} else if (lp_command_folder_open(cc.folder, &error)) {
			status = cc.compiles ? compile_only(&cc, &error) : compile_each(&cc, &error);
			if (!status && cc.links)
				status = link_objects(&cc, &error);
		}
	}
	lp_command_folder_close(cc.folder);
	lp_command_drop(&cc.sources);
	lp_words_drop(&cc.words);
	return status < 0 ? lp_cli_refuse(false, &error) : status;
}
