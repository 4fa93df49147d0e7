/* agent.c -- linchpin-mpi: passes messages on between a socket, whose other end is linchpin, and MPI.
 *
 * linchpin-mpi has one thread.  MPI has no function that waits for a message and for a socket together, so the thread looks at both
 * in turn, with pauses in between.  While nothing happens, the pauses grow from 20 us to 2 ms; data on the socket ends a pause.
 * The thread never waits for another rank: data that cannot be written yet are kept, in order.
 */
#define _GNU_SOURCE
#include <mpi.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ranks/wire.h"

enum { SHORT_NS = 20000, LONG_NS = 2000000, PATIENCE = 5, EXIT_LOST = 2 };

/* Bytes on their way: to linchpin, or from there. */
struct parcel {
	struct parcel *next;
	MPI_Request request;
	uint64_t size, done;
	uint8_t bytes[];
};

struct list {
	struct parcel *first, **end;
};

struct agent {
	int socket;
	struct list out;          /* to linchpin: headers included */
	struct list sent;         /* to other ranks, not delivered yet */
	struct lp_frame_header h; /* of the frame that arrives from linchpin, */
	uint64_t h_done;
	struct parcel *body;      /* and its bytes so far */
	bool leaving;             /* linchpin has said goodbye */
};

/* MPI_Abort() waits for mpirun without end, even if that is gone. */
static _Noreturn void give_up(int status)
{
	signal(SIGALRM, SIG_DFL);
	alarm(PATIENCE);
	MPI_Abort(MPI_COMM_WORLD, status);
	_exit(status);
}

static struct parcel *new_parcel(uint64_t size)
{
	struct parcel *p = malloc(sizeof *p + size);

	if (!p) {
		fprintf(stderr, "linchpin: no memory for a message of %llu bytes\n", (unsigned long long)size);
		give_up(EXIT_LOST);
	}
	*p = (struct parcel){ .size = size, .request = MPI_REQUEST_NULL };
	return p;
}

static void append(struct list *list, struct parcel *p)
{
	p->next = NULL;
	*list->end = p;
	list->end = &p->next;
}

static void drop_first(struct list *list)
{
	struct parcel *p = list->first;

	list->first = p->next;
	if (!list->first)
		list->end = &list->first;
	free(p);
}

/* ---- to linchpin ---- */

static uint8_t *queue_frame(struct agent *a, uint32_t peer, uint32_t tag, uint64_t size)
{
	struct parcel *p = new_parcel(sizeof(struct lp_frame_header) + size);
	const struct lp_frame_header h = { peer, tag, size };

	memcpy(p->bytes, &h, sizeof h);
	append(&a->out, p);
	return p->bytes + sizeof h;
}

/* What the socket takes now. */
static bool write_out(struct agent *a)
{
	bool any = false;

	while (a->out.first) {
		struct parcel *p = a->out.first;
		const ssize_t n = write(a->socket, p->bytes + p->done, p->size - p->done);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (n <= 0)
			give_up(EXIT_LOST);
		any = true;
		p->done += (uint64_t)n;
		if (p->done == p->size)
			drop_first(&a->out);
	}
	return any;
}

/* ---- from linchpin ---- */

static void pass_on(struct agent *a)
{
	struct parcel *p = a->body;

	a->body = NULL;
	a->h_done = 0;
	if (a->h.peer != LP_WIRE_CONTROL) {
		MPI_Isend(p->bytes, (int)p->size, MPI_BYTE, (int)a->h.peer, (int)a->h.tag, MPI_COMM_WORLD, &p->request);
		append(&a->sent, p);
		return;
	}
	uint32_t status = EXIT_LOST;
	if (a->h.tag == LP_WIRE_ABORT && p->size == sizeof status)
		memcpy(&status, p->bytes, sizeof status);
	if (a->h.tag != LP_WIRE_BYE)
		give_up((int)status);
	a->leaving = true;
	free(p);
}

/* Reads a part of a frame.  False if nothing is there. */
static bool read_in(struct agent *a)
{
	const bool head = a->h_done < sizeof a->h;
	uint8_t *to = head ? (uint8_t *)&a->h + a->h_done : a->body->bytes + a->body->done;
	const uint64_t left = head ? sizeof a->h - a->h_done : a->body->size - a->body->done;
	const ssize_t n = left ? read(a->socket, to, left) : 0;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (left && n <= 0) /* linchpin is gone */
		give_up(EXIT_LOST);
	if (head)
		a->h_done += (uint64_t)n;
	else
		a->body->done += (uint64_t)n;
	if (head && a->h_done == sizeof a->h)
		a->body = new_parcel(a->h.size);
	if (a->body && a->body->done == a->body->size)
		pass_on(a);
	return true;
}

/* ---- from and to other ranks ---- */

static bool receive(struct agent *a)
{
	MPI_Status status;
	int there = 0, size = 0;

	MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
	if (!there)
		return false;
	MPI_Get_count(&status, MPI_BYTE, &size);
	uint8_t *to = queue_frame(a, (uint32_t)status.MPI_SOURCE, (uint32_t)status.MPI_TAG, (uint64_t)size);
	MPI_Recv(to, size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return true;
}

/* Frees what is delivered. */
static bool forget_sent(struct agent *a)
{
	bool any = false;

	for (int done = 1; a->sent.first && done; any |= done) {
		MPI_Test(&a->sent.first->request, &done, MPI_STATUS_IGNORE);
		if (done)
			drop_first(&a->sent);
	}
	return any;
}

static void say_hello(struct agent *a)
{
	int self, count, lowest;
	MPI_Comm host;

	MPI_Comm_rank(MPI_COMM_WORLD, &self);
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
	MPI_Allreduce(&self, &lowest, 1, MPI_INT, MPI_MIN, host);
	MPI_Comm_free(&host);
	uint32_t *to = (uint32_t *)queue_frame(a, LP_WIRE_CONTROL, LP_WIRE_HELLO, sizeof *to * (2 + (uint64_t)count));
	to[0] = (uint32_t)self;
	to[1] = (uint32_t)count;
	MPI_Allgather(&lowest, 1, MPI_INT, to + 2, 1, MPI_INT, MPI_COMM_WORLD);
}

/* Until linchpin leaves, and all that it has sent is delivered. */
static void serve(struct agent *a)
{
	long pause = SHORT_NS;

	while (!a->leaving || a->sent.first) {
		bool busy = receive(a);
		busy |= write_out(a);
		while (!a->leaving && read_in(a))
			busy = true;
		busy |= forget_sent(a);
		if (busy) {
			pause = SHORT_NS;
			continue;
		}
		struct pollfd fd = { .fd = a->socket, .events = (short)((a->leaving ? 0 : POLLIN) | (a->out.first ? POLLOUT : 0)) };
		ppoll(&fd, 1, &(struct timespec){ 0, pause }, NULL);
		pause = pause * 2 < LONG_NS ? pause * 2 : LONG_NS;
	}
}

/* Until all ranks leave, which may take long: MPI_Finalize() would not sleep meanwhile. */
static void await_others(void)
{
	MPI_Request all;
	int left = 0;

	MPI_Ibarrier(MPI_COMM_WORLD, &all);
	for (long pause = SHORT_NS; !left; pause = pause * 2 < LONG_NS ? pause * 2 : LONG_NS) {
		nanosleep(&(struct timespec){ 0, pause }, NULL);
		MPI_Test(&all, &left, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	struct agent a = { .socket = argc == 2 ? atoi(argv[1]) : -1 };

	/* linchpin decides when to stop. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (a.socket < 0 || fcntl(a.socket, F_SETFL, O_NONBLOCK) < 0) {
		fprintf(stderr, "linchpin-mpi is started by linchpin: mpirun -n 4 linchpin check FILE.c\n");
		return EXIT_LOST;
	}
	a.out.end = &a.out.first;
	a.sent.end = &a.sent.first;
	MPI_Init(NULL, NULL);
	say_hello(&a);
	serve(&a);
	await_others();
	MPI_Finalize();
	queue_frame(&a, LP_WIRE_CONTROL, LP_WIRE_BYE, 0);
	while (a.out.first) {
		struct pollfd fd = { .fd = a.socket, .events = POLLOUT };
		write_out(&a);
		poll(&fd, 1, 10);
	}
	return 0;
}
