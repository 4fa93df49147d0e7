/* assembly.c -- finding inline assembly in the compiler's output.
 *
 * Both compilers bracket it:
 *
 *     #APP
 *     # 12 "queue.c" 1        (gcc only)
 *             mfence
 *     # 0 "" 2
 *     #NO_APP
 *
 * (on aarch64 the comment sign is //).  An empty bracket is a compiler barrier;
 * pauses do nothing that a model could see; directives emit no instruction.
 */
#include "load/compile.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_mark(const char *line, const char *word)
{
	while (isspace((unsigned char)*line))
		line++;
	if (*line != '#' && strncmp(line, "//", 2))
		return false;
	while (*line == '#' || *line == '/')
		line++;
	return !strncmp(line, word, strlen(word));
}

/* One statement, trimmed. */
static bool is_harmless_statement(const char *text)
{
	static const char *const harmless[] = { "pause", "nop",   "rep",
						"rep nop", "yield", "hint #1" };

	if (!*text || *text == '#' || *text == '.' || *text == '/')
		return true;
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (!strcmp(text, harmless[i]))
			return true;
	return false;
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

void lp_assembly_scan(const char *path, const char *source, struct lp_findings *findings)
{
	FILE *file = fopen(path, "re");
	char line[1024];
	unsigned file_line = 0;
	bool inside = false;

	while (file && fgets(line, sizeof line, file)) {
		unsigned number;
		char *statement;

		if (sscanf(line, " .loc %*u %u", &number) == 1)
			file_line = number;
		if (is_mark(line, "NO_APP"))
			inside = false;
		else if (is_mark(line, "APP"))
			inside = true;
		else if (sscanf(line, "# %u \"", &number) == 1 && number)
			file_line = number;
		if (inside && line[0] != '#' && (statement = harmful_statement(line)))
			lp_findings_add(findings, LP_FINDING_ASSEMBLY,
					"%s:%u: inline assembly ('%.60s') is not modelled",
					source, file_line, statement);
	}
	if (file)
		fclose(file);
}
