/* study_job.c -- a row of a study as a job. */
#include "cli/study/study_job.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cli/commands.h"
#include "frontend/serve/keepers.h"

void lp_study_job_describe(struct lp_bytes *to, const struct lp_study_words *words)
{
	lp_bytes_put_text(to, "linchpin");
	for (uint32_t i = 0; i < words->count && words->at[i]; i++)
		lp_bytes_put_text(to, words->at[i]);
}

void lp_study_job_work(void *closure, const struct lp_rank_job *job)
{
	struct lp_cursor from = { job->bytes, job->size, false };
	struct lp_study_words line = { 0 };

	(void)closure;
	while (from.left && !from.bad) {
		const char *word = lp_cursor_text(&from);
		LP_PUSH(&line, word);
	}
	LP_PUSH(&line, NULL);
	lp_keepers_hand_down();
	execv("/proc/self/exe", (char *const *)line.at);
	_exit(LP_EXIT_USAGE); /* without a verdict, which is noticed */
}

/* If the exit status does not match the verdict, linchpin has a bug. */
static bool agrees(const struct lp_study_answer *a, int status)
{
	static const struct {
		const char *verdict;
		int status;
	} pairs[] = { { "verified", LP_EXIT_VERIFIED },
		      { "violation", LP_EXIT_VIOLATION },
		      { "error", LP_EXIT_USAGE },
		      { "inconclusive", LP_EXIT_INCONCLUSIVE } };

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (!strcmp(a->verdict, pairs[i].verdict))
			return WIFEXITED(status) && WEXITSTATUS(status) == pairs[i].status;
	return false;
}

void lp_study_job_answer(struct lp_study_answer *answer, const struct lp_job_result *r)
{
	char *text = lp_alloc(r->size + 1);

	if (r->size)
		memcpy(text, r->bytes, r->size);
	text[r->size] = '\0';
	*answer = (struct lp_study_answer){ .seconds = r->seconds };
	lp_study_answer_read(answer, text);
	lp_free(text);
	if (r->late)
		snprintf(answer->text, sizeof answer->text, "timed out");
	else if (r->told)
		snprintf(answer->text, sizeof answer->text, "interrupted");
	if (agrees(answer, r->status))
		return;
	snprintf(answer->verdict, sizeof answer->verdict, "none");
	if (!r->told && WIFSIGNALED(r->status))
		snprintf(answer->text, sizeof answer->text, "ended by signal %d", WTERMSIG(r->status));
	else if (!r->told)
		snprintf(answer->text, sizeof answer->text, "exit status %d", WEXITSTATUS(r->status));
}

bool lp_study_job_is_to_repeat(const struct lp_study_answer *a, const struct lp_job_result *r)
{
	return r->rank && (!r->started || !strcmp(a->verdict, "error"));
}
