/* switch.c -- ranks without MPI. */
#define _GNU_SOURCE
#include "switch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ranks/bytes.h"
#include "base/hash.h"
#include "ranks/wire.h"

enum { MOST = 64 };

struct parcel {
	struct lp_bytes bytes; /* header included */
	uint32_t to;
	uint64_t due;          /* in microseconds */
};

struct port {
	int socket;
	struct lp_bytes in, out;
	uint32_t written;      /* of `out` */
	uint64_t last_due[MOST]; /* of the messages to each rank */
	bool left;             /* has said goodbye */
};

struct hub {
	const struct switch_options *options;
	struct port port[MOST];
	struct { LP_VEC(struct parcel); } held;
	uint64_t random;
	uint32_t leaving;
};

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void queue(struct hub *h, uint32_t to, uint32_t peer, uint32_t tag, const void *bytes, uint64_t size)
{
	const struct lp_frame_header head = { peer, tag, size };

	lp_bytes_put(&h->port[to].out, &head, sizeof head);
	lp_bytes_put(&h->port[to].out, bytes, size);
}

static void hello(struct hub *h, uint32_t rank)
{
	const uint32_t hosts = h->options->hosts ? h->options->hosts : 1;
	uint32_t text[2 + MOST] = { rank, h->options->ranks };

	for (uint32_t i = 0; i < h->options->ranks; i++)
		text[2 + i] = i % hosts;
	queue(h, rank, LP_WIRE_CONTROL, LP_WIRE_HELLO, text, sizeof *text * (2 + h->options->ranks));
}

static void hold(struct hub *h, uint32_t from, const struct lp_frame_header *head, const uint8_t *bytes)
{
	struct parcel p = { .to = head->peer };
	struct lp_frame_header there = *head;
	uint64_t *last = &h->port[from].last_due[head->peer];

	h->random = lp_mix(h->random + 1);
	p.due = now_us() + (h->options->delay_us ? h->random % h->options->delay_us : 0);
	if (p.due < *last)
		p.due = *last;
	*last = p.due;
	there.peer = from;
	lp_bytes_put(&p.bytes, &there, sizeof there);
	lp_bytes_put(&p.bytes, bytes, head->size);
	LP_PUSH(&h->held, p);
}

/* Whole frames that have arrived from a rank. */
static void take_frames(struct hub *h, uint32_t from)
{
	struct lp_bytes *in = &h->port[from].in;
	struct lp_frame_header head;
	uint32_t used = 0;

	while (in->count - used >= sizeof head) {
		memcpy(&head, in->at + used, sizeof head);
		if (in->count - used - sizeof head < head.size)
			break;
		if (head.peer < h->options->ranks)
			hold(h, from, &head, in->at + used + sizeof head);
		else if (head.tag == LP_WIRE_BYE) {
			h->port[from].left = true;
			h->leaving++;
		} else {
			_exit(1); /* abort: all sockets are closed */
		}
		used += (uint32_t)(sizeof head + head.size);
	}
	memmove(in->at, in->at + used, in->count - used);
	in->count -= used;
}

/* In the order in which they came, as far as they are due: so those from one rank to another stay in order. */
static void release(struct hub *h)
{
	const uint64_t now = now_us();
	uint32_t kept = 0;

	for (uint32_t i = 0; i < h->held.count; i++) {
		struct parcel *p = &h->held.at[i];
		if (p->due > now) {
			h->held.at[kept++] = *p;
			continue;
		}
		lp_bytes_put(&h->port[p->to].out, p->bytes.at, p->bytes.count);
		lp_free(p->bytes.at);
	}
	h->held.count = kept;
}

static void write_out(struct port *p)
{
	const ssize_t n = p->written < p->out.count ? send(p->socket, p->out.at + p->written, p->out.count - p->written,
							   MSG_DONTWAIT | MSG_NOSIGNAL) : 0;
	p->written += n > 0 ? (uint32_t)n : 0;
	if (p->written == p->out.count)
		p->written = p->out.count = 0;
}

/* False if the rank is gone without a goodbye: as MPI does, the switch then ends the job. */
static bool read_in(struct hub *h, uint32_t rank)
{
	struct port *p = &h->port[rank];

	LP_RESERVE(&p->in, 1 << 16);
	const ssize_t n = recv(p->socket, p->in.at + p->in.count, 1 << 16, MSG_DONTWAIT);
	if (n < 0)
		return true;
	if (!n)
		return p->left;
	p->in.count += (uint32_t)n;
	take_frames(h, rank);
	return true;
}

static bool is_empty(const struct hub *h)
{
	for (uint32_t i = 0; i < h->options->ranks; i++)
		if (h->port[i].out.count)
			return false;
	return !h->held.count;
}

static void serve(struct hub *h)
{
	const uint32_t ranks = h->options->ranks;
	bool dismissed = false;

	for (uint32_t i = 0; i < ranks; i++)
		hello(h, i);
	while (!dismissed || !is_empty(h)) {
		struct pollfd fds[MOST];
		for (uint32_t i = 0; i < ranks; i++)
			fds[i] = (struct pollfd){ h->port[i].socket, (short)((h->port[i].left ? 0 : POLLIN) | (h->port[i].out.count ? POLLOUT : 0)), 0 };
		ppoll(fds, ranks, &(struct timespec){ 0, 200000 }, NULL);
		for (uint32_t i = 0; i < ranks; i++) {
			if (!h->port[i].left && !read_in(h, i))
				_exit(1);
			write_out(&h->port[i]);
		}
		release(h);
		if (!dismissed && h->leaving == ranks && is_empty(h)) {
			dismissed = true;
			for (uint32_t i = 0; i < ranks; i++)
				queue(h, i, LP_WIRE_CONTROL, LP_WIRE_BYE, NULL, 0);
		}
	}
}

static pid_t start_rank(int (*run)(struct lp_ranks *, void *), void *closure, int (*pairs)[2], uint32_t self,
			const struct switch_options *options, unsigned seconds)
{
	const pid_t pid = fork();
	struct lp_error error;

	if (pid)
		return pid;
	alarm(seconds);
	for (uint32_t i = 0; i < options->ranks; i++) {
		close(pairs[i][1]);
		if (i != self)
			close(pairs[i][0]);
	}
	struct lp_ranks *r = lp_ranks_attach(pairs[self][0], &error);
	if (!r)
		_exit(99);
	const int status = run(r, closure);
	lp_ranks_dismiss(r);
	lp_ranks_close(r);
	_exit(status);
}

void switch_run(const struct switch_options *options, int (*run)(struct lp_ranks *, void *), void *closure,
		unsigned seconds, int *status)
{
	int pairs[MOST][2];
	pid_t pid[MOST];

	for (uint32_t i = 0; i < options->ranks; i++)
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]))
			abort();
	for (uint32_t i = 0; i < options->ranks; i++)
		pid[i] = start_rank(run, closure, pairs, i, options, seconds);
	const pid_t hub = fork();
	if (!hub) {
		struct hub h = { .options = options, .random = options->seed };
		alarm(seconds);
		for (uint32_t i = 0; i < options->ranks; i++) {
			close(pairs[i][0]);
			h.port[i].socket = pairs[i][1];
		}
		serve(&h);
		_exit(0);
	}
	for (uint32_t i = 0; i < options->ranks; i++) {
		close(pairs[i][0]);
		close(pairs[i][1]);
	}
	for (uint32_t i = 0; i < options->ranks; i++)
		waitpid(pid[i], &status[i], 0);
	kill(hub, SIGKILL);
	waitpid(hub, NULL, 0);
}
