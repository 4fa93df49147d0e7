/* debugger.c -- a replay in gdb. */
#define _GNU_SOURCE
#include "cli/gdb/debugger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/options.h"
#include "frontend/compile/command.h"
#include "report/formats/json.h"

#define SESSION "LINCHPIN_GDB_SESSION"

extern const char lp_gdb_script[]; /* gdb.S */

/* Some gdbs are built without Python. */
static bool find_gdb(struct lp_error *error)
{
	char words[256] = "";
	FILE *pipe = popen("gdb -nx -batch -ex 'python print(\"py\" + \"thon\")' 2>/dev/null", "r");

	if (!pipe)
		return lp_fail(error, "cannot run gdb: %s", strerror(errno));
	words[fread(words, 1, sizeof words - 1, pipe)] = '\0';
	const int status = pclose(pipe);
	if (strstr(words, "python"))
		return true;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		lp_fail(error, "--gdb: there is no gdb on this machine");
	else
		lp_fail(error, "--gdb: the gdb of this machine was built without Python");
	snprintf(error->hint, sizeof error->hint,
		 "install it (the package 'gdb'), or look at the steps with --steps");
	return false;
}

static bool write_script(const char *folder, struct lp_error *error)
{
	char name[96];

	snprintf(name, sizeof name, "%s/linchpin.py", folder);
	FILE *out = fopen(name, "w");
	const bool good = out && fputs(lp_gdb_script, out) >= 0;
	return (out && !fclose(out) && good) ||
	       lp_fail(error, "cannot write '%s': %s", name, strerror(errno));
}

bool lp_debugger_open(struct lp_debugger *d, const char *trace, struct lp_error *error)
{
	*d = (struct lp_debugger){ .folder = "" };
	if (!realpath(trace, d->trace))
		return lp_fail(error, "cannot read '%s': %s", trace, strerror(errno));
	return find_gdb(error) && lp_command_folder_open(d->folder, error) && write_script(d->folder, error);
}

void lp_debugger_close(struct lp_debugger *d)
{
	lp_command_folder_close(d->folder);
	d->folder[0] = '\0';
}

bool lp_debugger_note(const char *folder, const struct lp_result *result)
{
	char name[96];

	snprintf(name, sizeof name, "%s/result.json", folder);
	FILE *out = fopen(name, "w");
	if (out)
		lp_json_result(out, result);
	return out && !fclose(out);
}

int lp_debugger_run(const struct lp_debugger *d, const struct lp_options *options,
		    struct lp_error *error)
{
	struct lp_command command = { 0 };
	char script[96], self[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	int status = -1;

	if (length < 0) {
		lp_fail(error, "cannot start gdb: %s", strerror(errno));
		return -1;
	}
	self[length] = '\0';
	snprintf(script, sizeof script, "%s/linchpin.py", d->folder);
	const char *const first[] = { "gdb", "-q", "-x", script, NULL };
	const char *const last[] = { "--args", self, "replay", d->trace, NULL };
	for (const char *const *word = first; *word; word++)
		lp_command_add(&command, *word);
	for (int i = 0; i < options->flag_count; i++)
		lp_command_add(&command, options->flags[i]);
	for (const char *const *word = last; *word; word++)
		lp_command_add(&command, *word);
	fflush(stdout);
	if (!lp_command_talk(&command, "the debugger", &status, error))
		status = -1;
	lp_command_drop(&command);
	return status;
}

const char *lp_debugger_session(void)
{
	const char *folder = getenv(SESSION);
	return folder && *folder ? folder : NULL;
}
