/* request.c -- the messages with which a process asks a kept process of linchpin-fe for
 * one run. */
#define _GNU_SOURCE
#include "frontend/serve/request.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/child_process.h"
#include "base/vec.h"

enum { PARTS = 3, MOST = 64 << 20 }; /* descriptors; bytes of words, which the system limits to less */

union control {
	struct cmsghdr header; /* for its alignment */
	char room[CMSG_SPACE(PARTS * sizeof(int))];
};

struct size {
	uint32_t bytes, words, variables;
};

bool lp_request_send(int socket, const struct lp_request *r)
{
	const int parts[PARTS] = { r->answer, r->messages, r->folder };
	union control control = { .room = { 0 } };
	char byte = 'r';
	struct iovec text = { &byte, 1 };
	struct msghdr message = { .msg_iov = &text, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room };
	struct cmsghdr *c = CMSG_FIRSTHDR(&message);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof parts);
	memcpy(CMSG_DATA(c), parts, sizeof parts);
	return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

static bool take_parts(struct msghdr *message, struct lp_request *r)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(message);
	int parts[PARTS];

	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof parts))
		return false;
	memcpy(parts, CMSG_DATA(c), sizeof parts);
	*r = (struct lp_request){ parts[0], parts[1], parts[2] };
	return true;
}

bool lp_request_take(int socket, struct lp_request *r)
{
	for (;;) {
		union control control;
		char byte;
		struct iovec text = { &byte, 1 };
		struct msghdr message = { .msg_iov = &text, .msg_iovlen = 1, .msg_control = control.room,
					  .msg_controllen = sizeof control.room };
		const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		if (take_parts(&message, r))
			return true;
	}
}

void lp_request_close(struct lp_request *r)
{
	close(r->answer);
	close(r->messages);
	close(r->folder);
}

/* Neither side waits forever for one that has stopped. */
static void limit(int answer, int which, time_t seconds)
{
	const struct timeval time = { .tv_sec = seconds };

	setsockopt(answer, SOL_SOCKET, which, &time, sizeof time);
}

struct text {
	LP_VEC(char);
};

static uint32_t put_all(struct text *to, const char *const *words)
{
	uint32_t count = 0;

	for (; *words; words++, count++) {
		const size_t size = strlen(*words) + 1;
		LP_RESERVE(to, (uint32_t)size);
		memcpy(to->at + to->count, *words, size);
		to->count += (uint32_t)size;
	}
	return count;
}

bool lp_request_put(int answer, const char *const *words, char *const *environment)
{
	struct text text = { 0 };
	struct size size = { 0 };

	size.words = put_all(&text, words);
	size.variables = put_all(&text, (const char *const *)environment);
	size.bytes = text.count;
	limit(answer, SO_SNDTIMEO, LP_REQUEST_PATIENCE);
	const bool done = lp_process_send(answer, &size, sizeof size) && lp_process_send(answer, text.at, text.count);
	lp_free(text.at);
	return done;
}

/* The words that begin at `*at`, which moves on; NULL if there are fewer than `count`. */
static char **split(char **at, const char *end, uint32_t count)
{
	char **words = lp_alloc_zero((size_t)count + 1, sizeof *words);

	for (uint32_t i = 0; i < count; i++) {
		char *const last = *at < end ? memchr(*at, '\0', (size_t)(end - *at)) : NULL;
		if (!last) {
			lp_free(words);
			return NULL;
		}
		words[i] = *at;
		*at = last + 1;
	}
	return words;
}

bool lp_request_get(int answer, struct lp_request_words *out)
{
	struct size size;

	*out = (struct lp_request_words){ 0 };
	limit(answer, SO_RCVTIMEO, LP_REQUEST_PATIENCE);
	if (!lp_process_receive(answer, &size, sizeof size) || size.bytes > MOST || size.words > size.bytes || size.variables > size.bytes)
		return false;
	out->text = lp_alloc((size_t)size.bytes + 1);
	char *at = out->text;
	if (lp_process_receive(answer, out->text, size.bytes)) {
		out->words = split(&at, out->text + size.bytes, size.words);
		out->environment = split(&at, out->text + size.bytes, size.variables);
		out->count = (int)size.words;
	}
	if (out->words && out->environment)
		return true;
	lp_request_drop(out);
	return false;
}

void lp_request_drop(struct lp_request_words *r)
{
	lp_free(r->text);
	lp_free(r->words);
	lp_free(r->environment);
	*r = (struct lp_request_words){ 0 };
}
