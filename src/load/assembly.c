/* assembly.c -- finding in the compiler's output what linchpin does not understand.
 *
 * That is, line by line:
 *   - inline assembly, which both compilers bracket:
 *
 *         #APP
 *         # 12 "queue.c" 1        (gcc only)
 *                 mfence
 *         # 0 "" 2
 *         #NO_APP
 *
 *     (on aarch64 the comment sign is //; outside of functions clang has words instead).  An
 *     empty bracket is a compiler barrier, and pauses do nothing that a model could see;
 *   - instructions that a compiler emits for intrinsics only, and which no model covers:
 *     fences, clocks, random numbers, transactions, stores that bypass the cache;
 *   - references to symbols that are neither defined here nor known.
 *
 * Each is marked, so that it counts only if it is executed (marks.h).  What cannot be marked
 * counts in any case: assembly outside of functions, and addresses in data.
 */
#include "load/compile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/marks.h"
#include "load/user_line.h"

enum { LINE = 4096 };

struct names {
	LP_VEC(char *);
};

struct scan {
	const struct lp_assembly_request *request;
	struct lp_findings *findings;
	FILE *out;            /* NULL: nothing can be marked */
	struct names defined; /* sorted */
	struct names files;   /* by their number in .loc */
	struct lp_marks marks;
	bool inside;          /* a bracket of inline assembly */
	bool function;        /* the code of a function */
	bool marked;          /* the bracket has a mark */
	char place[64];       /* the last line of the user's */
};

static void names_drop(struct names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		lp_free(names->at[i]);
	lp_free(names->at);
	*names = (struct names){ 0 };
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char *trimmed(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* ---- inline assembly ---- */

static bool is_bracket(const char *line, const char *word)
{
	line = trimmed(line);
	if (*line != '#' && strncmp(line, "//", 2))
		return false;
	while (*line == '#' || *line == '/')
		line++;
	return !strncmp(line, word, strlen(word));
}

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}
#define IS_ONE_OF(word, words) is_one_of(word, words, sizeof(words) / sizeof *(words))

/* Those that emit no instruction: .byte can be one. */
static bool is_harmless_directive(const char *text)
{
	static const char *const harmless[] = {
		".align", ".balign", ".equ", ".file", ".globl", ".global", ".hidden", ".ident", ".loc",
		".local", ".p2align", ".popsection", ".previous", ".protected", ".pushsection",
		".section", ".set", ".size", ".subsection", ".symver", ".text", ".type", ".weak",
	};
	char word[32];

	return sscanf(text, "%31s", word) == 1 &&
	       (IS_ONE_OF(word, harmless) || !strncmp(word, ".cfi_", 5));
}

/* One statement, trimmed. */
static bool is_harmless_statement(const char *text)
{
	static const char *const harmless[] = { "pause", "nop",   "rep",
						"rep nop", "yield", "hint #1" };

	return !*text || *text == '#' || *text == '/' || IS_ONE_OF(text, harmless) ||
	       is_harmless_directive(text);
}

/* The first statement of the line that is not harmless, trimmed; or NULL. */
static char *harmful_statement(char *line)
{
	for (char *rest = line, *statement; (statement = strsep(&rest, ";"));) {
		while (isspace((unsigned char)*statement))
			statement++;
		for (size_t n = strlen(statement); n && isspace((unsigned char)statement[n - 1]);)
			statement[--n] = '\0';
		if (!is_harmless_statement(statement))
			return statement;
	}
	return NULL;
}

/* ---- where we are ---- */

/* .file NUMBER "FOLDER" "NAME", or without the folder. */
static void note_file(struct scan *s, const char *line)
{
	char first[LINE], second[LINE], path[2 * LINE];
	unsigned number;
	const int found = sscanf(line, " .file %u \"%[^\"]\" \"%[^\"]\"", &number, first, second);

	if (found < 2 || number > 1 << 20)
		return;
	snprintf(path, sizeof path, "%s%s%s", first, found == 3 ? "/" : "", found == 3 ? second : "");
	while (s->files.count <= number)
		LP_PUSH(&s->files, NULL);
	lp_free(s->files.at[number]);
	s->files.at[number] = lp_strdup(path);
}

static void set_place(struct scan *s, const char *path, unsigned line)
{
	const char *slash = strrchr(path, '/');

	if (!lp_is_system_file(path)) /* what is inlined from there was asked for before */
		snprintf(s->place, sizeof s->place, "%.48s:%u", slash ? slash + 1 : path, line);
}

static void note_place(struct scan *s, const char *line)
{
	char path[LINE];
	unsigned file, number;

	if (sscanf(line, " .loc %u %u", &file, &number) == 2) {
		if (file < s->files.count && s->files.at[file])
			set_place(s, s->files.at[file], number);
	} else if (sscanf(line, "# %u \"%[^\"]\"", &number, path) == 2 && number) {
		set_place(s, path, number);
		s->marked = false; /* another one in the same bracket */
	} else if (sscanf(line, " .file %u", &file) == 1) {
		note_file(s, line);
	} else if (!strncmp(trimmed(line), ".cfi_startproc", 14)) {
		s->function = true;
	} else if (!strncmp(trimmed(line), ".cfi_endproc", 12)) {
		s->function = false;
	}
}

/* ---- what is not understood ---- */

static void add_mark(struct scan *s, enum lp_mark_kind kind, bool executed, const char *what)
{
	struct lp_mark mark = { .executed = executed, .kind = (uint8_t)kind };

	snprintf(mark.place, sizeof mark.place, "%.61s", s->place);
	snprintf(mark.what, sizeof mark.what, "%.191s", what);
	if (!executed)
		lp_mark_set(s->out, s->marks.count);
	LP_PUSH(&s->marks, mark);
}

static void code_found(struct scan *s, const char *what)
{
	if (s->out && s->function)
		add_mark(s, LP_MARK_CODE, false, what);
	else
		lp_findings_add(s->findings, LP_FINDING_ASSEMBLY, "%s: %s is not modelled", s->place, what);
}

static void look_at_assembly(struct scan *s, const char *line)
{
	char copy[LINE], what[128], *statement;

	snprintf(copy, sizeof copy, "%s", line);
	if (s->marked || line[0] == '#' || !(statement = harmful_statement(copy)))
		return;
	snprintf(what, sizeof what, "inline assembly ('%.60s')", statement);
	code_found(s, what);
	/* One is enough: a loop in there could go round without the others. */
	s->marked = s->out && s->function;
}

/* Instructions of intrinsics.  Atomic ones never reach the assembly, but from functions that
 * are not instrumented. */
static bool is_odd(const char *mnemonic, const char *operands)
{
	static const char *const odd[] = {
		"rdtsc", "rdtscp", "rdrand", "rdseed", "rdpid", "rdpmc", "cpuid", "mfence", "lfence",
		"sfence", "clflush", "clflushopt", "clwb", "xbegin", "xend", "xabort", "xtest", "syscall",
		"sysenter", "lock", "int", "in", "out", "rdfsbase", "rdgsbase", "wrfsbase", "wrgsbase",
		"umwait", "tpause", "umonitor", "xgetbv",
	};
	static const char *const beginnings[] = { "movnt", "vmovnt", "maskmov", "rdrand", "rdseed" };

	if (IS_ONE_OF(mnemonic, odd) || (!strncmp(mnemonic, "xchg", 4) && strchr(operands, '(')))
		return true;
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (!strncmp(mnemonic, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

static bool is_symbol_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Is it a symbol of somebody else, and of nobody we know? */
static bool is_strange(const struct scan *s, const char *name)
{
	return (isalpha((unsigned char)*name) || *name == '_') && !s->request->knows(s->request->closure, name) &&
	       !(s->defined.count && bsearch(&name, s->defined.at, s->defined.count,
					     sizeof *s->defined.at, by_name));
}

/* The symbol that stands before the `at`. */
static void symbol_before(const char *line, const char *at, char *name, size_t size)
{
	const char *start = at;

	while (start > line && is_symbol_character(start[-1]))
		start--;
	snprintf(name, size, "%.*s", (int)(at - start), start);
}

static void look_at_instruction(struct scan *s, const char *line)
{
	static const char *const references[] = { "@PLT", "@GOTPCREL" };
	char mnemonic[32], name[LINE], what[64];

	if (sscanf(line, " %31s", mnemonic) != 1 || *mnemonic == '.' || *mnemonic == '#')
		return;
	if (is_odd(mnemonic, line + strlen(mnemonic))) {
		snprintf(what, sizeof what, "the instruction '%s'", mnemonic);
		code_found(s, what);
	}
	for (size_t i = 0; i < 2; i++) {
		const char *at = strstr(line, references[i]);
		if (!at || !s->out || !s->function)
			continue;
		symbol_before(line, at, name, sizeof name);
		if (is_strange(s, name))
			add_mark(s, LP_MARK_CALL, false, name);
	}
}

/* An address in data: who uses it cannot be seen. */
static void look_at_data(struct scan *s, const char *line)
{
	char name[LINE];
	size_t length = 0;

	if (!s->out || sscanf(line, " .quad %s", name) != 1)
		return;
	while (is_symbol_character(name[length]))
		length++;
	name[length] = '\0';
	if (is_strange(s, name))
		add_mark(s, LP_MARK_CALL, true, name);
}

static void look_at(struct scan *s, const char *line)
{
	if (strlen(line) >= LINE) /* a string, or a name that will count as mentioned */
		return;
	note_place(s, line);
	if (is_bracket(line, "NO_APP") || is_bracket(line, " End of file scope inline assembly")) {
		s->inside = false;
	} else if (is_bracket(line, "APP") || is_bracket(line, " Start of file scope inline assembly")) {
		s->inside = true;
		s->marked = false;
	} else if (s->inside) {
		look_at_assembly(s, line);
	} else {
		look_at_instruction(s, line);
		look_at_data(s, line);
	}
}

/* All labels but those of the compiler's own. */
static void find_defined(struct scan *s, FILE *file)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, file) > 0) {
		char *colon = strchr(line, ':');
		if (!colon || isspace((unsigned char)*line) || *line == '#' || !strncmp(line, ".L", 2))
			continue;
		*colon = '\0';
		LP_PUSH(&s->defined, lp_strdup(line));
	}
	free(line);
	if (s->defined.count)
		qsort(s->defined.at, s->defined.count, sizeof *s->defined.at, by_name);
	rewind(file);
}

bool lp_assembly_mark(const struct lp_assembly_request *request, struct lp_findings *findings)
{
	struct scan s = { .request = request, .findings = findings };
	FILE *in = fopen(request->from, "re");
	char *line = NULL;
	size_t room = 0;
	bool good = in;

#if defined(__x86_64__)
	s.out = fopen(request->to, "we");
	good = in && s.out;
#endif
	snprintf(s.place, sizeof s.place, "%.61s", request->source);
	if (in)
		find_defined(&s, in);
	while (good && getline(&line, &room, in) > 0) {
		look_at(&s, line);
		if (s.out)
			fputs(line, s.out);
	}
	free(line);
	if (good && s.marks.count)
		lp_marks_put(s.out, &s.marks);
	if (in)
		fclose(in);
	if (s.out && fclose(s.out))
		good = false;
	names_drop(&s.defined);
	names_drop(&s.files);
	lp_free(s.marks.at);
	return good;
}
