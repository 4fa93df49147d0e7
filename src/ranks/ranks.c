/* ranks.c -- the side of linchpin: starts linchpin-mpi, and talks to it. */
#define _GNU_SOURCE
#include "ranks/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/child_process.h"
#include "base/vec.h"
#include "ranks/wire.h"

#ifndef LP_AGENT
#define LP_AGENT "linchpin-mpi"
#endif

enum {
	SUM_UP = LP_RANKS_TAG + 1, /* values, to rank 0 */
	SUM_DOWN,                  /* their sums, from it */
	DISMISS,                   /* from rank 0 */
	EXIT_LOST = 2,
};

/* First in, first out. */
struct queue {
	LP_VEC(struct lp_message);
	uint32_t first;
};

struct lp_ranks {
	int socket;
	pid_t agent;           /* 0: not ours */
	uint32_t self, count;
	uint32_t *leader;      /* of each rank */
	struct queue messages; /* that have arrived */
	struct queue sums;     /* those of lp_ranks_sum() */
	bool dismissed;        /* the others are */
};

/* ---- the environment ---- */

/* Of each way to start a job: how many ranks there are, and which this is. */
static const char *const ways[][2] = {
	{ "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" }, /* Open MPI */
	{ "PMI_SIZE", "PMI_RANK" },                         /* MPICH, and what follows it */
	{ "SLURM_STEP_NUM_TASKS", "PMIX_RANK" },            /* srun --mpi=pmix; without it srun starts as many jobs of one rank */
};
enum { WAYS = sizeof ways / sizeof *ways };

static long number_in(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : -1;
}

bool lp_ranks_are_several(void)
{
	for (unsigned i = 0; i < WAYS; i++)
		if (number_in(ways[i][0]) > 1 && getenv(ways[i][1]))
			return true;
	return false;
}

bool lp_ranks_is_first(void)
{
	for (unsigned i = 0; i < WAYS; i++)
		if (number_in(ways[i][1]) > 0)
			return false;
	return true;
}

static void forget_environment(void)
{
	for (unsigned i = 0; i < WAYS; i++)
		unsetenv(ways[i][0]);
}

/* Beside this program, or where it is installed. */
static void find_agent(char path[static 512])
{
	static const char *const places[] = { "linchpin-mpi", "../libexec/linchpin/linchpin-mpi" };
	char self[384];
	const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	snprintf(path, 512, "%s", LP_AGENT);
	if (length <= 0)
		return;
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < 2; i++) {
		char there[512];
		snprintf(there, sizeof there, "%s/%s", self, places[i]);
		if (!access(there, X_OK)) {
			snprintf(path, 512, "%s", there);
			return;
		}
	}
}

/* ---- frames ---- */

/* The other ranks cannot be reached.  One message is enough. */
static _Noreturn void lose(const struct lp_ranks *r)
{
	if (!r->self)
		fprintf(stderr, "linchpin: lost the connection to the other ranks: there is no verdict\n");
	fflush(stderr);
	_exit(EXIT_LOST);
}

static bool put_frame(const struct lp_ranks *r, uint32_t peer, uint32_t tag, const void *bytes, size_t size)
{
	const struct lp_frame_header h = { peer, tag, size };

	return lp_process_send(r->socket, &h, sizeof h) && lp_process_send(r->socket, bytes, size);
}

/* A frame that has begun to arrive. */
static bool get_frame(const struct lp_ranks *r, struct lp_message *out)
{
	struct lp_frame_header h;

	if (!lp_process_receive(r->socket, &h, sizeof h) || h.size > LP_RANKS_MOST)
		return false;
	*out = (struct lp_message){ h.peer, h.tag, h.size, h.size ? lp_alloc(h.size) : NULL };
	if (lp_process_receive(r->socket, out->bytes, out->size))
		return true;
	lp_message_drop(out);
	return false;
}

void lp_message_drop(struct lp_message *m)
{
	lp_free(m->bytes);
	*m = (struct lp_message){ 0 };
}

static bool take_first(struct queue *q, struct lp_message *out)
{
	if (q->first == q->count)
		return false;
	*out = q->at[q->first++];
	if (q->first == q->count)
		q->first = q->count = 0;
	return true;
}

static void drop_queue(struct queue *q)
{
	struct lp_message m;

	while (take_first(q, &m))
		lp_message_drop(&m);
	lp_free(q->at);
}

/* Waits for a frame, and puts it into its queue.  False if none has come. */
static bool pump(struct lp_ranks *r, int milliseconds)
{
	struct pollfd fd = { .fd = r->socket, .events = POLLIN };
	struct lp_message m;

	if (poll(&fd, 1, milliseconds) <= 0) /* or interrupted */
		return false;
	if (!get_frame(r, &m) || m.from >= r->count)
		lose(r);
	if (m.tag == DISMISS)
		_exit(lp_ranks_close(r) ? 0 : EXIT_LOST);
	if (m.tag > LP_RANKS_TAG)
		LP_PUSH(&r->sums, m);
	else
		LP_PUSH(&r->messages, m);
	return true;
}

/* ---- joining and leaving ---- */

static bool take_hello(struct lp_ranks *r, const struct lp_message *m)
{
	const bool apart = getenv("LINCHPIN_RANKS_APART") != NULL;
	uint32_t head[2];

	if (m->from != LP_WIRE_CONTROL || m->tag != LP_WIRE_HELLO || m->size < sizeof head)
		return false;
	memcpy(head, m->bytes, sizeof head);
	if (head[0] >= head[1] || m->size != sizeof head + sizeof(uint32_t) * head[1])
		return false;
	r->self = head[0];
	r->count = head[1];
	r->leader = lp_alloc(sizeof *r->leader * r->count);
	memcpy(r->leader, m->bytes + sizeof head, sizeof *r->leader * r->count);
	for (uint32_t i = 0; i < r->count; i++)
		if (apart || r->leader[i] >= r->count)
			r->leader[i] = i;
	return true;
}

struct lp_ranks *lp_ranks_attach(int socket, struct lp_error *error)
{
	struct lp_ranks *r = lp_alloc_zero(1, sizeof *r);
	struct lp_message hello = { 0 };

	r->socket = socket;
	const bool joined = get_frame(r, &hello) && take_hello(r, &hello);
	lp_message_drop(&hello);
	if (joined)
		return r;
	close(socket);
	lp_free(r);
	lp_fail(error, "cannot join the other ranks: MPI did not start");
	return NULL;
}

static pid_t start_agent(int socket, int theirs)
{
	char path[512], number[16];
	const pid_t pid = fork();

	if (pid)
		return pid;
	close(socket);
	find_agent(path);
	snprintf(number, sizeof number, "%d", theirs);
	execlp(path, "linchpin-mpi", number, (char *)NULL);
	_exit(127);
}

/* The reason is given by one rank; the others have no text. */
static struct lp_ranks *refuse(pid_t agent, struct lp_error *error)
{
	int status = 0;

	waitpid(agent, &status, 0);
	if (!lp_ranks_is_first())
		error->text[0] = '\0';
	if (!lp_ranks_is_first() || !WIFEXITED(status) || WEXITSTATUS(status) != 127)
		return NULL;
	lp_fail(error, "cannot join the other ranks: linchpin-mpi is not installed");
	snprintf(error->hint, sizeof error->hint, "install the package linchpin-mpi, or libopenmpi-dev and build again; or use -j on one machine");
	return NULL;
}

struct lp_ranks *lp_ranks_open(struct lp_error *error)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
		lp_fail(error, "cannot join the other ranks: %s", strerror(errno));
		return NULL;
	}
	fcntl(pair[0], F_SETFD, FD_CLOEXEC);
	const pid_t agent = start_agent(pair[0], pair[1]);
	close(pair[1]);
	forget_environment();
	if (agent < 0) {
		close(pair[0]);
		lp_fail(error, "cannot join the other ranks: %s", strerror(errno));
		return NULL;
	}
	struct lp_ranks *r = lp_ranks_attach(pair[0], error);
	if (!r)
		return refuse(agent, error);
	r->agent = agent;
	return r;
}

/* Waits until the agent has passed everything on, and the others are ready to leave, too.  False if the connection is lost. */
static bool say_goodbye(struct lp_ranks *r)
{
	struct lp_message m = { 0 };
	bool left = false;

	if (!put_frame(r, LP_WIRE_CONTROL, LP_WIRE_BYE, NULL, 0))
		return false;
	while (!left && get_frame(r, &m)) {
		left = m.from == LP_WIRE_CONTROL && m.tag == LP_WIRE_BYE;
		lp_message_drop(&m);
	}
	return left;
}

bool lp_ranks_close(struct lp_ranks *r)
{
	if (!r)
		return true;
	const bool left = say_goodbye(r);
	close(r->socket);
	if (r->agent)
		waitpid(r->agent, NULL, 0);
	drop_queue(&r->messages);
	drop_queue(&r->sums);
	lp_free(r->leader);
	lp_free(r);
	return left;
}

void lp_ranks_abort(struct lp_ranks *r, int status, const char *format, ...)
{
	const uint32_t code = (uint32_t)status;
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	fprintf(stderr, "linchpin: %s\n", text);
	fflush(stderr);
	put_frame(r, LP_WIRE_CONTROL, LP_WIRE_ABORT, &code, sizeof code);
	if (r->agent)
		waitpid(r->agent, NULL, 0);
	_exit(status);
}

/* ---- messages ---- */

uint32_t lp_ranks_count(const struct lp_ranks *r)
{
	return r->count;
}

uint32_t lp_ranks_self(const struct lp_ranks *r)
{
	return r->self;
}

uint32_t lp_ranks_leader(const struct lp_ranks *r, uint32_t rank)
{
	return r->leader[rank];
}

uint32_t lp_ranks_group_size(const struct lp_ranks *r, uint32_t leader)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < r->count; i++)
		size += r->leader[i] == leader;
	return size;
}

static void send_to(struct lp_ranks *r, uint32_t to, uint32_t tag, const void *bytes, size_t size)
{
	if (size > LP_RANKS_MOST)
		LP_BUG("a message of %zu bytes", size);
	if (!put_frame(r, to, tag, bytes, size))
		lose(r);
}

void lp_ranks_send(struct lp_ranks *r, uint32_t to, uint32_t tag, const void *bytes, size_t size)
{
	if (to != r->self) {
		send_to(r, to, tag, bytes, size);
		return;
	}
	struct lp_message m = { to, tag, size, size ? lp_alloc(size) : NULL };
	if (size)
		memcpy(m.bytes, bytes, size);
	LP_PUSH(&r->messages, m);
}

bool lp_ranks_receive(struct lp_ranks *r, struct lp_message *out, int milliseconds)
{
	/* A message of a sum is none: the rest of the time is not waited for, but without limit it is. */
	while (!take_first(&r->messages, out))
		if (!pump(r, milliseconds) && milliseconds >= 0)
			return false;
	return true;
}

static bool take_from(struct queue *q, uint32_t from, struct lp_message *out)
{
	uint32_t i = q->first;

	while (i < q->count && q->at[i].from != from)
		i++;
	if (i == q->count)
		return false;
	*out = q->at[i];
	memmove(q->at + i, q->at + i + 1, sizeof *q->at * (q->count - i - 1));
	q->count--;
	if (q->first == q->count)
		q->first = q->count = 0;
	return true;
}

void lp_ranks_receive_from(struct lp_ranks *r, uint32_t from, struct lp_message *out)
{
	while (!take_from(&r->messages, from, out))
		pump(r, -1);
}

void lp_ranks_dismiss(struct lp_ranks *r)
{
	for (uint32_t i = 1; !r->self && !r->dismissed && i < r->count; i++)
		put_frame(r, i, DISMISS, NULL, 0); /* if the connection is lost, lp_ranks_close() finds out */
	r->dismissed = true;
}

bool lp_ranks_are_dismissed(const struct lp_ranks *r)
{
	return r->dismissed;
}

void lp_ranks_await_end(struct lp_ranks *r)
{
	struct lp_message m;

	while (!lp_ranks_receive(r, &m, -1))
		;
	lp_ranks_abort(r, EXIT_LOST, "rank %u has nothing more to do, but rank %u sent it message %u: there is no verdict", r->self, m.from, m.tag);
}

int lp_ranks_descriptor(const struct lp_ranks *r)
{
	return r->socket;
}

static struct lp_message next_sum(struct lp_ranks *r, size_t size)
{
	struct lp_message m;

	while (!take_first(&r->sums, &m))
		pump(r, -1);
	if (m.size != size)
		LP_BUG("ranks disagree about what they add up");
	return m;
}

static void add_up(struct lp_ranks *r, uint64_t *values, uint32_t count)
{
	const size_t size = sizeof *values * count;

	for (uint32_t i = 1; i < r->count; i++) {
		struct lp_message m = next_sum(r, size);
		for (uint32_t k = 0; k < count; k++) {
			uint64_t n;
			memcpy(&n, m.bytes + sizeof n * k, sizeof n);
			values[k] += n;
		}
		lp_message_drop(&m);
	}
	for (uint32_t i = 1; i < r->count; i++)
		send_to(r, i, SUM_DOWN, values, size);
}

void lp_ranks_sum(struct lp_ranks *r, uint64_t *values, uint32_t count)
{
	const size_t size = sizeof *values * count;

	if (!r->self) {
		add_up(r, values, count);
		return;
	}
	send_to(r, 0, SUM_UP, values, size);
	struct lp_message m = next_sum(r, size);
	if (size)
		memcpy(values, m.bytes, size);
	lp_message_drop(&m);
}
