/* history_jobs.c -- several files at a time, by processes: history_jobs.h. */
#include "cli/history/history_jobs.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
	_Atomic uint32_t next;
	struct lp_history_done done[];
};

static size_t size_of(uint32_t count)
{
	return sizeof(struct shared) + sizeof(struct lp_history_done) * count;
}

static struct shared *shared_of(struct lp_history_done *done)
{
	return (struct shared *)(void *)((char *)done - sizeof(struct shared));
}

/* A child: what it has to say, it says in `done`. */
static void take_turns(struct shared *s, uint32_t count,
		       void (*work)(void *, uint32_t, struct lp_history_done *), void *closure)
{
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (nowhere >= 0) {
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
	}
	for (;;) {
		const uint32_t i = atomic_fetch_add(&s->next, 1);
		if (i >= count)
			_exit(0);
		struct lp_history_done answer = { 0 };
		work(closure, i, &answer);
		s->done[i] = answer;
	}
}

struct lp_history_done *lp_history_jobs_run(uint32_t jobs, uint32_t count,
					    void (*work)(void *, uint32_t, struct lp_history_done *),
					    void *closure)
{
	struct shared *s = mmap(NULL, size_of(count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				-1, 0);
	uint32_t running = 0;

	_Static_assert(sizeof(struct shared) % _Alignof(struct lp_history_done) == 0, "no padding");
	if (s == MAP_FAILED)
		return NULL;
	for (; running < jobs && running < count; running++) {
		const pid_t child = fork();
		if (child < 0)
			break;
		if (!child)
			take_turns(s, count, work, closure);
	}
	while (running) /* a signal wakes this process, and the children, which end soon */
		running -= wait(NULL) > 0;
	return s->done;
}

void lp_history_jobs_close(struct lp_history_done *done, uint32_t count)
{
	if (done)
		munmap(shared_of(done), size_of(count));
}
