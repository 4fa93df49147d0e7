/* ranks.h -- messages between the ranks: the processes of one job, started by mpirun or srun on one or many machines.
 *
 *     struct lp_ranks *ranks = NULL;
 *     if (lp_ranks_are_several() && !(ranks = lp_ranks_open(&error))) ...
 *     lp_ranks_send(ranks, 0, TAG, bytes, size);
 *     while (lp_ranks_receive(ranks, &message, milliseconds)) { ...; lp_message_drop(&message); }
 *     lp_ranks_close(ranks);
 *
 * MPI is not part of this process.  A rank starts a small program, linchpin-mpi, and is connected with it by a socket.  linchpin-mpi
 * joins the job and passes messages on.  There are three reasons for this.  The address space stays the same in all ranks, so that
 * the program under test can be loaded at the same addresses.  Processes can be forked at any time; with MPI in the process, some
 * networks would not survive this.  And linchpin needs no MPI library where there is only one rank.
 *
 *     rank 0:  linchpin ---- linchpin-mpi ~~~ MPI ~~~ linchpin-mpi ---- linchpin  :rank 1
 *                       socket                                     socket
 *
 * Messages from one rank to another arrive in the order in which they were sent.  Messages from different ranks may arrive in any order.
 * Sending does not wait for the receiver.  If a rank crashes or is killed, its linchpin-mpi, or MPI itself, ends the job: all other
 * ranks lose their connections.  If one of them is in lp_ranks_close(), this function returns false; otherwise the rank ends.
 * Results that were reported before remain valid; results that were not reported are lost.
 *
 * Only the process that has opened the ranks may use them; processes forked from it may not.
 */
#ifndef LP_RANKS_RANKS_H
#define LP_RANKS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct lp_ranks;

/* Do the environment variables say that this process is one of several ranks? */
bool lp_ranks_are_several(void);

/* Is this rank 0, according to the environment variables?  Returns true if there is only one rank. */
bool lp_ranks_is_first(void);

/* Joins the job, and returns when all ranks have joined.  Removes the job from the environment, so programs that this process starts run
 * alone.  Returns NULL, with the error set, if joining fails; the text of the error is "" on all ranks but one. */
struct lp_ranks *lp_ranks_open(struct lp_error *);

/* For tests: joins a job through a socket, at whose other end is a program that speaks the protocol of wire.h.  The socket is closed
 * later, or at once if joining fails. */
struct lp_ranks *lp_ranks_attach(int socket, struct lp_error *);

/* Leaves the job: waits until all ranks leave, and delivers all messages that were sent.  Returns false if a rank crashes or is killed
 * before all have left; then the status of the job differs from that of this process.  NULL is fine. */
bool lp_ranks_close(struct lp_ranks *);

/* Prints a message on standard error, and ends all ranks with the exit status. */
_Noreturn void lp_ranks_abort(struct lp_ranks *, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

uint32_t lp_ranks_count(const struct lp_ranks *);
uint32_t lp_ranks_self(const struct lp_ranks *);

/* Ranks on the same host form a group; if LINCHPIN_RANKS_APART is set, each rank is a group of its own.  The leader of a group is its
 * lowest rank. */
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

/* Sends a message to a rank, which may be this one. */
void lp_ranks_send(struct lp_ranks *, uint32_t to, uint32_t tag, const void *bytes, size_t size);

/* Waits for the next message, at most that many milliseconds; a negative number means without limit.  Returns false if no message has
 * arrived. */
bool lp_ranks_receive(struct lp_ranks *, struct lp_message *, int milliseconds);

/* Waits for the next message from that rank.  Messages from other ranks that arrive meanwhile are kept for lp_ranks_receive(). */
void lp_ranks_receive_from(struct lp_ranks *, uint32_t from, struct lp_message *);

/* Rank 0 calls lp_ranks_dismiss() to tell all other ranks that they are no longer needed.  A rank that was dismissed ends with
 * success when it waits for the next message.  lp_ranks_are_dismissed() says on rank 0 whether lp_ranks_dismiss() was called.
 * lp_ranks_await_end() only waits for the dismissal.  If another message arrives instead, the ranks have not run the same program,
 * so the function ends all ranks, with status 2. */
void lp_ranks_dismiss(struct lp_ranks *);
bool lp_ranks_are_dismissed(const struct lp_ranks *);
_Noreturn void lp_ranks_await_end(struct lp_ranks *);

/* Returns a file descriptor that is readable when a message may have arrived. */
int lp_ranks_descriptor(const struct lp_ranks *);

/* Replaces each value by the sum of this value over all ranks.  All ranks must call the function.  Messages that arrive meanwhile are
 * kept for lp_ranks_receive().  If `count` is 0, the function is a barrier. */
void lp_ranks_sum(struct lp_ranks *, uint64_t *values, uint32_t count);

#endif
