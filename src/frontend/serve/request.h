/* request.h -- the messages with which a process asks a kept process of linchpin-fe for one run.
 *
 *     client                                     server
 *     lp_request_send()  --- descriptors --->    lp_request_take()
 *     lp_request_put()   --- words --------->    lp_request_get()
 *                        <-- LP_REQUEST_BEGUN -- the server has begun the work
 *                        <-- exit status ------- the work is done
 *
 * The first message goes through a socket that all clients and all servers share.  The other messages go through a socket that belongs to
 * the request.  When one side ends, this socket is closed, and the other side notices it.
 */
#ifndef LP_FRONTEND_SERVE_REQUEST_H
#define LP_FRONTEND_SERVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#define LP_REQUEST_BEGUN 'b'

enum { LP_REQUEST_PATIENCE = 5 }; /* how many seconds one side waits for the other to begin */

/* The descriptors that a new process would inherit. */
struct lp_request {
	int answer;   /* the request's own socket */
	int messages; /* for standard output and standard error */
	int folder;   /* the working folder */
};

/* The command and the environment; each ends with NULL. */
struct lp_request_words {
	char *text;
	char **words, **environment;
	int count; /* of words */
};

/* Sends a request.  Returns false if there is no server.  The sender's descriptors stay open. */
bool lp_request_send(int socket, const struct lp_request *);
/* Waits for a request.  Returns false if there will be no more. */
bool lp_request_take(int socket, struct lp_request *);
void lp_request_close(struct lp_request *);

/* Send and receive command and environment.  Return false if the other side has ended, or does not answer. */
bool lp_request_put(int answer, const char *const *words, char *const *environment);
bool lp_request_get(int answer, struct lp_request_words *);
void lp_request_drop(struct lp_request_words *);

#endif
