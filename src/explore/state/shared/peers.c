/* peers.c -- exchanges bytes between forked processes, with a socket for each pair, or between
 * ranks of a job. */
#include "explore/state/shared/peers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "ranks/ranks.h"

/* ---- forked processes ---- */

/* A transfer to or from a peer: first the length, then the bytes. */
struct transfer {
	uint64_t length_out, length_in;
	size_t sent, received;
};

static bool may_be_later(ssize_t done)
{
	return done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

static bool push(int socket, struct transfer *t, const struct lp_bytes *out)
{
	const size_t head = sizeof t->length_out;
	const bool in_head = t->sent < head;
	const uint8_t *from = in_head ? (const uint8_t *)&t->length_out + t->sent : out->at + (t->sent - head);
	const size_t size = in_head ? head - t->sent : head + t->length_out - t->sent;
	const ssize_t done = send(socket, from, size, MSG_NOSIGNAL);

	if (done > 0)
		t->sent += (size_t)done;
	return done > 0 || may_be_later(done);
}

static bool pull(int socket, struct transfer *t, struct lp_bytes *in)
{
	const size_t head = sizeof t->length_in;
	const bool in_head = t->received < head;
	uint8_t *to = in_head ? (uint8_t *)&t->length_in + t->received : in->at + (t->received - head);
	const size_t size = in_head ? head - t->received : head + t->length_in - t->received;
	const ssize_t done = recv(socket, to, size, 0);

	if (done > 0)
		t->received += (size_t)done;
	if (in_head && t->received == head) {
		LP_HOLDS(t->length_in <= UINT32_MAX);
		LP_RESERVE(in, t->length_in);
		in->count = (uint32_t)t->length_in;
	}
	return done > 0 || may_be_later(done);
}

static bool is_sent(const struct transfer *t)
{
	return t->sent == sizeof t->length_out + t->length_out;
}

static bool is_received(const struct transfer *t)
{
	return t->received >= sizeof t->length_in && t->received == sizeof t->length_in + t->length_in;
}

/* Sends and receives as much as possible, so that neither direction waits for the other. */
static bool exchange_by_sockets(struct lp_peers *p, const struct lp_bytes *out, struct lp_bytes *in)
{
	struct transfer *t = lp_alloc_zero(p->count, sizeof *t);
	struct pollfd *polled = lp_alloc_zero(p->count, sizeof *polled);
	bool good = true, busy = true;

	LP_HOLDS(p->self < p->count && !out[p->self].count);
	for (uint32_t i = 0; i < p->count; i++) {
		in[i].count = 0;
		t[i].length_out = out[i].count;
	}
	while (good && busy) {
		busy = false;
		for (uint32_t i = 0; i < p->count; i++) {
			polled[i] = (struct pollfd){ .fd = -1 };
			if (i == p->self || (is_sent(&t[i]) && is_received(&t[i])))
				continue;
			polled[i] = (struct pollfd){ p->sockets[i], (short)((is_sent(&t[i]) ? 0 : POLLOUT) |
						     (is_received(&t[i]) ? 0 : POLLIN)), 0 };
			busy = true;
		}
		if (busy && poll(polled, p->count, -1) < 0 && errno != EINTR)
			good = false;
		for (uint32_t i = 0; i < p->count && good; i++) {
			if (polled[i].fd < 0 || !polled[i].revents)
				continue;
			if (!is_sent(&t[i]) && polled[i].revents & POLLOUT)
				good = push(polled[i].fd, &t[i], &out[i]);
			if (good && !is_received(&t[i]) && polled[i].revents & (POLLIN | POLLHUP | POLLERR))
				good = pull(polled[i].fd, &t[i], &in[i]);
		}
	}
	lp_free(t);
	lp_free(polled);
	return good;
}

/* Connects all pairs of peers: pairs[i * count + k] is the end of peer i of its socket to peer k. */
static bool connect_all(int *pairs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < i; k++) {
			int ends[2];
			if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends))
				return false;
			pairs[i * count + k] = ends[0];
			pairs[k * count + i] = ends[1];
		}
	return true;
}

static void close_others(const int *pairs, uint32_t count, uint32_t self)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < count; k++)
			if (i != self && pairs[i * count + k] >= 0)
				close(pairs[i * count + k]);
}

bool lp_peers_fork(struct lp_peers *p, uint32_t count)
{
	int *pairs = lp_alloc(sizeof *pairs * count * count);
	bool good;

	LP_HOLDS(count >= 2 && count <= LP_MOST_PEERS);
	*p = (struct lp_peers){ .count = count, .exchange = exchange_by_sockets,
				.sockets = lp_alloc(sizeof *p->sockets * count),
				.forked = lp_alloc_zero(count, sizeof *p->forked) };
	for (uint32_t i = 0; i < count * count; i++)
		pairs[i] = -1;
	good = connect_all(pairs, count);
	fflush(NULL);
	for (uint32_t i = 1; good && !p->self && i < count; i++) {
		p->forked[i] = fork();
		good = p->forked[i] >= 0;
		if (!p->forked[i])
			p->self = i;
	}
	if (!good)
		close_others(pairs, count, 0);
	else
		close_others(pairs, count, p->self);
	for (uint32_t i = 0; i < count; i++)
		p->sockets[i] = pairs[p->self * count + i];
	lp_free(pairs);
	if (!good)
		lp_peers_leave(p);
	return good;
}

/* ---- ranks ---- */

struct lp_peer_message {
	uint32_t from;
	struct lp_message message;
};

enum { STATES_TAG = 700 };

static void take(struct lp_bytes *in, struct lp_message *m)
{
	LP_HOLDS(!in->count);
	lp_bytes_put(in, m->bytes, m->size);
	lp_message_drop(m);
}

/* A rank may send the next message before another has sent this one. */
static bool take_early(struct lp_peers *p, uint32_t from, struct lp_bytes *in)
{
	for (uint32_t i = 0; i < p->early.count; i++) {
		if (p->early.at[i].from != from)
			continue;
		take(in, &p->early.at[i].message);
		memmove(p->early.at + i, p->early.at + i + 1, sizeof *p->early.at * (p->early.count - i - 1));
		p->early.count--;
		return true;
	}
	return false;
}

static bool exchange_by_ranks(struct lp_peers *p, const struct lp_bytes *out, struct lp_bytes *in)
{
	uint32_t missing = p->count - 1;
	bool *has = lp_alloc_zero(p->count, sizeof *has);

	for (uint32_t i = 0; i < p->count; i++) {
		in[i].count = 0;
		if (i == p->self)
			continue;
		lp_ranks_send(p->ranks, i, STATES_TAG, out[i].at, out[i].count);
		has[i] = take_early(p, i, &in[i]);
		missing -= has[i];
	}
	while (missing) {
		struct lp_message m;
		if (!lp_ranks_receive(p->ranks, &m, -1))
			break;
		LP_HOLDS(m.from < p->count && m.from != p->self && m.tag == STATES_TAG);
		if (has[m.from]) {
			LP_PUSH(&p->early, ((struct lp_peer_message){ m.from, m }));
			continue;
		}
		has[m.from] = true;
		take(&in[m.from], &m);
		missing--;
	}
	lp_free(has);
	return !missing;
}

void lp_peers_of_ranks(struct lp_peers *p, struct lp_ranks *ranks)
{
	/* A rank may have sent its first message of this search already, while others ended the one before. */
	if (p->ranks)
		return;
	*p = (struct lp_peers){ .count = lp_ranks_count(ranks), .self = lp_ranks_self(ranks), .exchange = exchange_by_ranks,
				.ranks = ranks };
}

/* ---- the end ---- */

void lp_peers_kill(struct lp_peers *p)
{
	for (uint32_t i = 0; p->forked && !p->self && i < p->count; i++)
		if (p->forked[i] > 0)
			kill(p->forked[i], SIGKILL);
}

void lp_peers_leave(struct lp_peers *p)
{
	if (p->ranks)
		return;
	if (p->self && p->forked)
		_exit(0);
	for (uint32_t i = 0; p->sockets && i < p->count; i++) {
		if (p->sockets[i] >= 0)
			close(p->sockets[i]);
		if (p->forked[i] > 0)
			waitpid(p->forked[i], NULL, 0);
	}
	lp_free(p->sockets);
	lp_free(p->forked);
	*p = (struct lp_peers){ .count = 0 };
}

void lp_peers_close(struct lp_peers *p)
{
	for (uint32_t i = 0; i < p->early.count; i++)
		lp_message_drop(&p->early.at[i].message);
	lp_free(p->early.at);
	*p = (struct lp_peers){ .count = 0 };
}
