/* command.c -- running other programs, and a private folder for their files. */
#define _GNU_SOURCE
#include "frontend/compile/command.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"

extern char **environ;

/* For the signal handler: the folder to remove, "" for none. */
static char doomed[64];
static struct sigaction before[3];
static const int deadly[3] = { SIGINT, SIGTERM, SIGHUP };

void lp_command_add(struct lp_command *command, const char *argument)
{
	LP_PUSH(command, argument);
}

void lp_command_add_all(struct lp_command *command, const char *const *arguments)
{
	for (; *arguments; arguments++)
		lp_command_add(command, *arguments);
}

void lp_command_drop(struct lp_command *command)
{
	if (command->messages > 0)
		close(command->messages);
	lp_free(command->at);
	*command = (struct lp_command){ 0 };
}

char **lp_command_environment(char tmpdir[static 80])
{
	struct {
		LP_VEC(char *);
	} out = { 0 };

	snprintf(tmpdir, 80, "TMPDIR=%s", doomed);
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "TMPDIR=", 7))
			LP_PUSH(&out, *e);
	if (doomed[0])
		LP_PUSH(&out, tmpdir);
	LP_PUSH(&out, NULL);
	return out.at;
}

/* The child must not run our signal handlers: until it executes the program, it shares our memory. */
static void forget_handlers(void)
{
	struct sigaction action;

	for (int i = 1; i < NSIG; i++)
		if (!sigaction(i, NULL, &action) && action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL) {
			action = (struct sigaction){ .sa_handler = SIG_DFL };
			sigaction(i, &action, NULL);
		}
}

/* As posix_spawnp(), but the child ends with us. */
static int spawn(pid_t *process, const struct lp_command *command, int out, int messages, char **environment)
{
	const pid_t parent = getpid();
	volatile int failed = 0; /* the child's memory is ours until it runs the program, or ends */
	sigset_t all, own;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &own);
	const pid_t child = vfork();
	if (!child) {
		lp_process_end_with(parent);
		forget_handlers();
		sigprocmask(SIG_SETMASK, &own, NULL);
		if (dup2(out, 1) >= 0 && dup2(messages, 2) >= 0)
			execvpe(command->at[0], (char *const *)command->at, environment);
		failed = errno;
		_exit(127);
	}
	const int refused = child < 0 ? errno : failed;
	if (child > 0 && refused)
		waitpid(child, NULL, 0);
	sigprocmask(SIG_SETMASK, &own, NULL);
	*process = refused ? 0 : child;
	return refused;
}

bool lp_command_start(struct lp_command *command, const char *what, int out, int *process,
		      struct lp_error *error)
{
	const int messages = command->messages > 0 ? command->messages : 2;
	char tmpdir[80];

	char **environment = lp_command_environment(tmpdir);
	LP_PUSH(command, NULL);
	const int failed = spawn(process, command, out < 0 ? messages : out, messages, environment);
	lp_free(environment);
	return !failed || lp_fail(error, "cannot run %s '%s': %s", what, command->at[0], strerror(failed));
}

bool lp_command_finish(struct lp_command *command, const char *what, int process, struct lp_error *error)
{
	while (waitpid(process, &command->status, 0) < 0)
		if (errno != EINTR)
			return lp_fail(error, "lost %s: %s", what, strerror(errno));
	return lp_command_has_succeeded(command, what, error);
}

bool lp_command_has_succeeded(const struct lp_command *command, const char *what, struct lp_error *error)
{
	if (WIFSIGNALED(command->status))
		return lp_fail(error, "%s '%s' was ended by signal %d", what, command->at[0],
			       WTERMSIG(command->status));
	if (WEXITSTATUS(command->status))
		return lp_fail(error, "%s '%s' failed with status %d", what, command->at[0],
			       WEXITSTATUS(command->status));
	return true;
}

bool lp_command_run(struct lp_command *command, const char *what, struct lp_error *error)
{
	int process;

	return lp_command_start(command, what, -1, &process, error) &&
	       lp_command_finish(command, what, process, error);
}

bool lp_command_talk(struct lp_command *command, const char *what, int *status,
		     struct lp_error *error)
{
	const struct sigaction ignored = { .sa_handler = SIG_IGN };
	struct sigaction interrupt;
	posix_spawnattr_t attributes;
	sigset_t own;
	pid_t child;
	int how = 0;

	sigemptyset(&own);
	sigaddset(&own, SIGINT);
	LP_PUSH(command, NULL);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &own);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	sigaction(SIGINT, &ignored, &interrupt);
	const int failed = posix_spawnp(&child, command->at[0], NULL, &attributes,
					(char *const *)command->at, environ);
	while (!failed && waitpid(child, &how, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &interrupt, NULL);
	posix_spawnattr_destroy(&attributes);
	if (failed)
		return lp_fail(error, "cannot run %s '%s': %s", what, command->at[0],
			       strerror(failed));
	if (WIFSIGNALED(how))
		return lp_fail(error, "%s was ended by signal %d", what, WTERMSIG(how));
	*status = WEXITSTATUS(how);
	return true;
}

/* Only async-signal-safe calls: another process does the removing. */
static void remove_and_die(int signal_number)
{
	if (doomed[0]) {
		const pid_t child = fork();
		if (!child) {
			execl("/bin/rm", "rm", "-rf", "--", doomed, (char *)NULL);
			_exit(1);
		}
		if (child > 0)
			waitpid(child, NULL, 0);
	}
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

bool lp_command_folder_open(char path[static 64], struct lp_error *error)
{
	const char *parent = getenv("TMPDIR");

	if (!parent || !*parent || strlen(parent) > 40)
		parent = "/tmp";
	snprintf(path, 64, "%s/linchpin-XXXXXX", parent);
	if (!mkdtemp(path))
		return lp_fail(error, "cannot make a folder in '%s': %s", parent,
			       strerror(errno));
	memcpy(doomed, path, sizeof doomed);
	for (int i = 0; i < 3; i++) {
		struct sigaction action = { .sa_handler = remove_and_die };
		sigaction(deadly[i], NULL, &before[i]);
		if (before[i].sa_handler == SIG_DFL)
			sigaction(deadly[i], &action, NULL);
	}
	return true;
}

void lp_command_folder_close(const char *path)
{
	DIR *folder = path[0] ? opendir(path) : NULL;

	if (!path[0])
		return;
	if (folder) {
		char name[512];
		for (struct dirent *e; (e = readdir(folder));)
			if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
				snprintf(name, sizeof name, "%s/%s", path, e->d_name);
				unlink(name);
			}
		closedir(folder);
		rmdir(path);
	}
	if (doomed[0])
		for (int i = 0; i < 3; i++)
			sigaction(deadly[i], &before[i], NULL);
	doomed[0] = '\0';
}

void lp_command_folder_disown(void)
{
	doomed[0] = '\0';
}
