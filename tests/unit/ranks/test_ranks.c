/* test_ranks.c -- messages between ranks: all arrive, whole and in order; sums; groups; a rank that is lost ends the job. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/child_process.h"
#include "base/hash.h"
#include "expect.h"
#include "ranks/wire.h"
#include "switch.h"

enum { MESSAGES = 200, TAGS = 5, LARGE = 20 << 20 };

struct job {
	uint64_t seed;
	uint32_t lost; /* the rank that is killed */
	unsigned after;
};

struct text {
	uint64_t number, check;
};

static uint64_t check_of(uint32_t from, uint32_t to, uint64_t number, uint64_t seed)
{
	return lp_mix(lp_mix(lp_mix(seed + from) + to) + number);
}

/* Each rank sends MESSAGES to each, itself included, in random order, and receives as many. */
static int exchange(struct lp_ranks *r, void *closure)
{
	const struct job *job = closure;
	const uint32_t self = lp_ranks_self(r), count = lp_ranks_count(r);
	uint64_t sent[64] = { 0 }, got[64] = { 0 }, left = (uint64_t)count * MESSAGES, missing = left, random = lp_mix(job->seed + self);
	int wrong = 0;

	while (left || missing) {
		struct lp_message m;
		if (left) {
			random = lp_mix(random);
			uint32_t to = (uint32_t)(random % count);
			while (sent[to] == MESSAGES)
				to = (to + 1) % count;
			const struct text t = { sent[to], check_of(self, to, sent[to], job->seed) };
			lp_ranks_send(r, to, (uint32_t)(sent[to] % TAGS), &t, sizeof t);
			sent[to]++;
			left--;
		}
		while (missing && lp_ranks_receive(r, &m, left ? 0 : -1)) {
			const struct text *t = (const void *)m.bytes;
			wrong |= m.size != sizeof *t || t->number != got[m.from] || m.tag != t->number % TAGS ||
				 t->check != check_of(m.from, self, t->number, job->seed);
			got[m.from]++;
			missing--;
			lp_message_drop(&m);
		}
	}
	return wrong;
}

/* Sums, between which messages arrive that wait. */
static int add(struct lp_ranks *r, void *closure)
{
	const uint32_t self = lp_ranks_self(r), count = lp_ranks_count(r);
	struct lp_message m;
	int wrong = 0;

	(void)closure;
	for (uint32_t round = 0; round < 20; round++) {
		uint64_t values[2] = { self, round };
		lp_ranks_send(r, (self + 1) % count, 7, &round, sizeof round);
		lp_ranks_sum(r, values, 2);
		wrong |= values[0] != (uint64_t)count * (count - 1) / 2 || values[1] != (uint64_t)count * round;
		lp_ranks_sum(r, NULL, 0);
	}
	for (uint32_t round = 0; round < 20; round++) {
		wrong |= !lp_ranks_receive(r, &m, -1) || memcmp(m.bytes, &round, sizeof round) || m.tag != 7;
		lp_message_drop(&m);
	}
	return wrong;
}

/* Every rank sends three messages to rank 0, which takes those of the last rank first, and keeps the others in order. */
static int take_in_turn(struct lp_ranks *r, void *closure)
{
	enum { EACH = 3 };
	const uint32_t self = lp_ranks_self(r), count = lp_ranks_count(r);
	struct lp_message m;
	int wrong = 0;

	(void)closure;
	for (uint32_t n = 0; n < EACH; n++)
		lp_ranks_send(r, 0, n, NULL, 0);
	for (uint32_t from = count; !self && from-- > 0;) {
		for (uint32_t n = 0; n + 1 < EACH; n++) {
			lp_ranks_receive_from(r, from, &m);
			wrong |= m.from != from || m.tag != n;
		}
	}
	for (uint32_t left = count; !self && left; left--) {
		wrong |= !lp_ranks_receive(r, &m, -1) || m.tag != EACH - 1;
		lp_message_drop(&m);
	}
	return wrong;
}

/* More than a socket holds, in both directions at once. */
static int send_large(struct lp_ranks *r, void *closure)
{
	const uint32_t other = 1 - lp_ranks_self(r);
	uint8_t *bytes = lp_alloc(LARGE);
	struct lp_message m;
	int wrong = 0;

	(void)closure;
	memset(bytes, (int)lp_ranks_self(r) + 1, LARGE);
	lp_ranks_send(r, other, 1, bytes, LARGE);
	wrong |= !lp_ranks_receive(r, &m, -1) || m.size != LARGE;
	for (size_t i = 0; !wrong && i < LARGE; i++)
		wrong |= m.bytes[i] != other + 1;
	lp_message_drop(&m);
	lp_free(bytes);
	return wrong;
}

static int look_at_groups(struct lp_ranks *r, void *closure)
{
	(void)closure;
	for (uint32_t i = 0; i < lp_ranks_count(r); i++)
		if (lp_ranks_leader(r, i) != i % 3)
			return 1;
	return lp_ranks_group_size(r, 0) != 3 || lp_ranks_group_size(r, 2) != 2 || lp_ranks_group_size(r, 5) != 0 ||
	       lp_ranks_leads(r) != (lp_ranks_self(r) < 3);
}

/* Messages without end, until one rank is killed. */
static int talk(struct lp_ranks *r, void *closure)
{
	const struct job *job = closure;
	struct lp_message m;

	for (unsigned n = 0; n < UINT32_MAX; n++) {
		if (lp_ranks_self(r) == job->lost && n == job->after)
			raise(SIGKILL);
		lp_ranks_send(r, (lp_ranks_self(r) + 1) % lp_ranks_count(r), 1, &n, sizeof n);
		if (lp_ranks_receive(r, &m, -1))
			lp_message_drop(&m);
	}
	return 1;
}

static int refuse(struct lp_ranks *r, void *closure)
{
	struct lp_message m;

	(void)closure;
	if (lp_ranks_self(r) == 2)
		lp_ranks_abort(r, 2, "rank %u cannot go on (this is a test)", 2u);
	lp_ranks_receive(r, &m, -1);
	return 0;
}

static void run(const struct switch_options *options, int (*f)(struct lp_ranks *, void *), struct job job)
{
	int status[64];

	switch_run(options, f, &job, 60, status);
	for (uint32_t i = 0; i < options->ranks; i++)
		EXPECT(WIFEXITED(status[i]) && !WEXITSTATUS(status[i]), "rank %u of %u, seed %llu: status %x", i, options->ranks,
		       (unsigned long long)options->seed, (unsigned)status[i]);
}

static void lose_one(uint32_t ranks, struct job job, int (*f)(struct lp_ranks *, void *))
{
	int status[64];

	switch_run(&(struct switch_options){ .ranks = ranks, .seed = job.seed, .delay_us = 300 }, f, &job, 60, status);
	for (uint32_t i = 0; i < ranks; i++)
		EXPECT(i == job.lost ? WIFSIGNALED(status[i]) : WIFEXITED(status[i]) && WEXITSTATUS(status[i]) == 2, "rank %u: status %x",
		       i, (unsigned)status[i]);
}

/* One of the ranks that mpirun has started: the same messages, by MPI. */
static int join(void)
{
	struct lp_error error = { .hint = "" };
	struct job job = { .seed = 5 };
	struct lp_ranks *r = lp_ranks_open(&error);

	EXPECT(r != NULL, "%s", error.text);
	if (!r)
		return expect_status();
	const bool two = lp_ranks_count(r) == 2;
	EXPECT(!lp_ranks_are_several());
	EXPECT(!exchange(r, &job));
	lp_ranks_sum(r, NULL, 0); /* or messages of what follows would arrive before all have received these */
	EXPECT(!add(r, NULL));
	lp_ranks_sum(r, NULL, 0);
	EXPECT(!two || !send_large(r, NULL));
	lp_ranks_close(r);
	return failures != 0;
}

/* The other end of the socket says hello, and ends before goodbye, or after it. */
static bool leaves(bool together)
{
	const uint32_t hello[] = { 0, 1, 0 };
	const struct lp_frame_header head = { LP_WIRE_CONTROL, LP_WIRE_HELLO, sizeof hello }, bye = { LP_WIRE_CONTROL, LP_WIRE_BYE, 0 };
	struct lp_error error = { .hint = "" };
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return !together;
	const bool sent = lp_process_send(pair[1], &head, sizeof head) && lp_process_send(pair[1], hello, sizeof hello);
	struct lp_ranks *r = lp_ranks_attach(pair[0], &error);
	EXPECT(sent && r, "%s", error.text);
	if (together)
		EXPECT(lp_process_send(pair[1], &bye, sizeof bye));
	shutdown(pair[1], SHUT_WR);
	lp_ranks_dismiss(r);
	const bool left = lp_ranks_close(r);
	close(pair[1]);
	return left;
}

int main(void)
{
	static const uint32_t sizes[] = { 1, 2, 4, 7 };

	if (lp_ranks_are_several())
		return join();

	unsetenv("LINCHPIN_RANKS_APART");
	EXPECT(leaves(true));
	EXPECT(!leaves(false));
	printf("seeds 1 to 3\n");
	for (uint64_t seed = 1; seed <= 3; seed++) {
		for (unsigned i = 0; i < 4; i++) {
			const struct switch_options options = { .ranks = sizes[i], .seed = seed, .delay_us = seed == 1 ? 0 : 400 };
			run(&options, exchange, (struct job){ .seed = seed });
			run(&options, add, (struct job){ 0 });
			run(&options, take_in_turn, (struct job){ 0 });
		}
		lose_one(4, (struct job){ seed, (uint32_t)seed % 4, 5 * (unsigned)seed }, talk);
	}
	run(&(struct switch_options){ .ranks = 2 }, send_large, (struct job){ 0 });
	run(&(struct switch_options){ .ranks = 8, .hosts = 3 }, look_at_groups, (struct job){ 0 });
	lose_one(3, (struct job){ .lost = 9 }, refuse);
	return expect_status();
}
