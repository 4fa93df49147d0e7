/* mutant_jobs.c -- runs mutants in child processes, several at a time. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/error.h"
#include "cli/mutants/mutants.h"
#include "frontend/compile/command.h"
#include "frontend/compile/compile.h"
#include "report/words.h"
#include "verify/interrupt.h"
#include "verify/usage.h"

/* A process that is still running this many seconds after its limit gets SIGTERM, and later SIGKILL. */
static const double GRACE = 5, LAST_GRACE = 8;

struct job {
	pid_t process;  /* 0: none */
	uint32_t mutant;
	double start;
	bool told;
};

struct jobs {
	struct lp_mutants *m;
	enum lp_mutant_stage stage;
	struct lp_mutant_answer *answers; /* shared, by mutant */
	struct job *at;
	uint32_t room, running, ended;
	struct lp_progress_line line;
};

_Noreturn static void be_job(struct jobs *j, uint32_t mutant, pid_t parent, const sigset_t *signals)
{
	const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

	lp_process_end_with(parent);
	lp_command_folder_disown();
	lp_interrupt_close();
	sigprocmask(SIG_SETMASK, signals, NULL);
	if (nothing >= 0) { /* the compiler's warnings were already printed for the object */
		dup2(nothing, 1);
		dup2(nothing, 2);
	}
	lp_mutant_try(j->m, &j->m->all.at[mutant], j->stage, &j->answers[mutant]);
	lp_check_close(&j->m->check);
	_exit(0);
}

static bool start(struct jobs *j, uint32_t mutant, const sigset_t *signals, struct lp_error *error)
{
	struct job *free = j->at;

	while (free->process)
		free++;
	const pid_t parent = getpid(), child = fork();
	if (!child)
		be_job(j, mutant, parent, signals);
	if (child < 0)
		return lp_fail(error, "cannot start a process: %s", strerror(errno));
	*free = (struct job){ .process = child, .mutant = mutant, .start = lp_usage_seconds() };
	j->running++;
	return true;
}

/* It has ended, with or without an answer. */
static void finish(struct jobs *j, struct job *job, int status)
{
	struct lp_mutant_answer *a = &j->answers[job->mutant];
	char limit[LP_WORDS_ROOM];

	if (!a->done) {
		a->state = LP_MUTANT_UNDECIDED;
		lp_words_duration(limit, j->m->limit);
		if (lp_interrupt_reason())
			snprintf(a->reason, sizeof a->reason, "%s", lp_interrupt_reason());
		else if (job->told)
			snprintf(a->reason, sizeof a->reason, "no answer within %s: perhaps an endless loop", limit);
		else
			snprintf(a->reason, sizeof a->reason, "the process ended with %s %d", WIFSIGNALED(status) ? "signal" : "status",
				 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		a->seconds = lp_usage_seconds() - job->start;
		a->done = true;
	}
	job->process = 0;
	j->running--;
	j->ended++;
}

static void hurry(const struct jobs *j, struct job *job)
{
	const double over = lp_usage_seconds() - job->start - j->m->limit;
	const bool interrupted = lp_interrupt_reason();

	if ((over > GRACE || interrupted) && !job->told) {
		job->told = true;
		kill(job->process, SIGTERM);
	} else if (over > LAST_GRACE || (interrupted && over + j->m->limit > LAST_GRACE)) {
		kill(job->process, SIGKILL);
	}
}

/* Waits a moment, and takes what has ended meanwhile. */
static void wait_for_some(struct jobs *j, const sigset_t *chld)
{
	const struct timespec tick = { .tv_nsec = 100000000 };
	bool any = false;

	for (uint32_t i = 0; i < j->room; i++) {
		struct job *job = &j->at[i];
		int status = 0;
		if (!job->process)
			continue;
		if (waitpid(job->process, &status, WNOHANG)) {
			finish(j, job, status);
			any = true;
		} else {
			hurry(j, job);
		}
	}
	if (!any)
		sigtimedwait(chld, NULL, &tick);
}

static void tell(struct jobs *j, uint32_t wanted)
{
	static const char *const doing[] = { "mutants", "survivors compared", "survivors with one more call" };
	char text[96];

	snprintf(text, sizeof text, "%u of %u %s", j->ended, wanted, doing[j->stage]);
	lp_progress_line_write(&j->line, text);
}

static bool run(struct jobs *j, bool (*wanted)(const struct lp_mutant *), struct lp_error *error)
{
	uint32_t count = 0;
	sigset_t chld, before;
	bool good = true;

	for (uint32_t i = 0; i < j->m->all.count; i++)
		count += wanted(&j->m->all.at[i]);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, &before);
	if (!lp_mutants_over(j->m))
		lp_interrupt_open();
	for (uint32_t i = 0; good && i < j->m->all.count; i++) {
		if (!wanted(&j->m->all.at[i]))
			continue;
		if (lp_mutants_over(j->m)) {
			snprintf(j->answers[i].reason, sizeof j->answers[i].reason, "%s", j->m->over);
			continue;
		}
		while (j->running == j->room)
			wait_for_some(j, &chld);
		good = start(j, i, &before, error);
		tell(j, count);
	}
	while (j->running) {
		wait_for_some(j, &chld);
		tell(j, count);
	}
	lp_mutants_over(j->m);
	lp_interrupt_close();
	sigprocmask(SIG_SETMASK, &before, NULL);
	lp_progress_line_erase(&j->line);
	return good;
}

static uint32_t at_once(const struct lp_options *o)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return o->at[LP_OPT_JOBS].given ? (uint32_t)o->at[LP_OPT_JOBS].count : processors > 0 ? (uint32_t)processors : 1;
}

bool lp_mutants_try_all(struct lp_mutants *m, enum lp_mutant_stage stage, bool (*wanted)(const struct lp_mutant *),
			struct lp_error *error)
{
	const size_t size = sizeof(struct lp_mutant_answer) * (m->all.count + 1);
	struct jobs j = { .m = m, .stage = stage, .room = at_once(m->options) };

	j.answers = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (j.answers == MAP_FAILED)
		return lp_fail(error, "cannot get memory to share: %s", strerror(errno));
	j.at = lp_alloc_zero(j.room, sizeof *j.at);
	j.line = lp_progress_line_open(!m->options->at[LP_OPT_QUIET].given && !m->options->at[LP_OPT_JSON].given);
	fflush(NULL);
	lp_compile_begin_serving(j.room); /* stays for the next stage */
	const bool good = run(&j, wanted, error);
	for (uint32_t i = 0; i < m->all.count; i++) {
		struct lp_mutant *mutant = &m->all.at[i];
		if (!wanted(mutant))
			continue;
		if (stage == LP_STAGE_CHECK)
			mutant->answer = j.answers[i];
		else if (stage == LP_STAGE_LARGER)
			mutant->larger = j.answers[i];
		else
			mutant->compared = j.answers[i];
	}
	lp_free(j.at);
	munmap(j.answers, size);
	return good;
}
