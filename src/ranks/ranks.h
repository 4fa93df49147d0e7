/* ranks.h -- the processes of one job on one or many machines, started by mpirun or srun, and messages between them.
 *
 *     struct lp_ranks *ranks = NULL;
 *     if (lp_ranks_are_several() && !(ranks = lp_ranks_open(&error))) ...
 *     lp_ranks_send(ranks, 0, TAG, bytes, size);
 *     while (lp_ranks_receive(ranks, &message, milliseconds)) { ...; lp_message_drop(&message); }
 *     lp_ranks_close(ranks);
 *
 * MPI is not part of this process.  A rank starts a small program, linchpin-mpi, which is connected by a socket, joins the
 * job and passes messages on.  There are three reasons.  The address space stays the same in all ranks, so that
 * the program under test can be loaded at the same addresses.  Processes can be forked at any time, which some
 * networks under MPI do not survive.  And linchpin needs no MPI library where there is only one rank.
 *
 *     rank 0:  linchpin ---- linchpin-mpi ~~~ MPI ~~~ linchpin-mpi ---- linchpin  :rank 1
 *                       socket                                     socket
 *
 * Messages from one rank to another arrive in the order in which they were sent; those of different ranks in any order.
 * Sending does not wait for the receiver.  A rank that is lost ends the job: its linchpin-mpi, or MPI itself, ends all
 * others, and what was not reported until then is not reported at all.  What was reported holds.
 *
 * Only the process that has opened the ranks may use them, not one that is forked from it.
 */
#ifndef LP_RANKS_RANKS_H
#define LP_RANKS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct lp_ranks;

/* Does the environment say that this process is one of several?  Costs a few looks at the environment. */
bool lp_ranks_are_several(void);

/* Is this rank 0, as far as the environment tells?  True if there is only one. */
bool lp_ranks_is_first(void);

/* Joins the job; returns when all ranks have.  The environment no longer says that there are several, so programs that this one starts run alone.  NULL, with the
 * error, if that cannot be; its text is empty in all ranks but one. */
struct lp_ranks *lp_ranks_open(struct lp_error *);

/* The same with a socket, at whose other end is a switch that was started otherwise (wire.h); for tests.  The socket is closed in any case. */
struct lp_ranks *lp_ranks_attach(int socket, struct lp_error *);

/* Leaves the job, once all ranks do; what was sent is delivered.  False if a rank is lost before all have left: then the status of the job is not that
 * of this process.  NULL is fine. */
bool lp_ranks_close(struct lp_ranks *);

/* Ends the job, with a message on standard error, and the exit status. */
_Noreturn void lp_ranks_abort(struct lp_ranks *, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

uint32_t lp_ranks_count(const struct lp_ranks *);
uint32_t lp_ranks_self(const struct lp_ranks *);

/* Ranks on the same host form a group, unless LINCHPIN_RANKS_APART is set: then each is one by itself.  Its leader is its lowest rank. */
uint32_t lp_ranks_leader(const struct lp_ranks *, uint32_t rank);
uint32_t lp_ranks_group_size(const struct lp_ranks *, uint32_t leader);
static inline bool lp_ranks_leads(const struct lp_ranks *r)
{
	return lp_ranks_leader(r, lp_ranks_self(r)) == lp_ranks_self(r);
}

struct lp_message {
	uint32_t from;
	uint32_t tag;
	size_t size;
	uint8_t *bytes; /* on the heap; NULL if there are none */
};
void lp_message_drop(struct lp_message *);

/* The largest tag, and the most bytes of a message. */
enum { LP_RANKS_TAG = 9999 };
#define LP_RANKS_MOST ((size_t)1 << 30)

/* To a rank, which may be this one. */
void lp_ranks_send(struct lp_ranks *, uint32_t to, uint32_t tag, const void *bytes, size_t size);

/* Waits for the next message, at most that long; negative: without limit.  False if there is none. */
bool lp_ranks_receive(struct lp_ranks *, struct lp_message *, int milliseconds);

/* Rank 0 leads: it tells all others that they are no longer needed.  They end, successfully, when they wait for the next message, or in
 * lp_ranks_await_end(), which does nothing else; a message that arrives there is an internal error, since ranks no longer do the same. */
void lp_ranks_dismiss(struct lp_ranks *);
bool lp_ranks_are_dismissed(const struct lp_ranks *);
_Noreturn void lp_ranks_await_end(struct lp_ranks *);

/* A descriptor that is readable when a message may have arrived. */
int lp_ranks_descriptor(const struct lp_ranks *);

/* Replaces each value by the sum of those of all ranks.  All ranks must call this.  Messages that arrive meanwhile wait.  With
 * no values it is a barrier. */
void lp_ranks_sum(struct lp_ranks *, uint64_t *values, uint32_t count);

#endif
