/* peers.h -- the processes that search together, and how they exchange bytes.
 *
 * There is one kind of communication: an exchange, in which every peer sends bytes to every other peer.  The
 * peers are forked from one process and connected by sockets (lp_peers_fork), or they are the ranks of a job
 * (lp_peers_of_ranks).
 */
#ifndef LP_EXPLORE_STATE_SHARED_PEERS_H
#define LP_EXPLORE_STATE_SHARED_PEERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "ranks/bytes.h"

enum { LP_MOST_PEERS = 1024 };

struct lp_ranks;

struct lp_peers {
	uint32_t count, self;
	bool (*exchange)(struct lp_peers *, const struct lp_bytes *out, struct lp_bytes *in);
	struct lp_ranks *ranks;
	struct { LP_VEC(struct lp_peer_message); } early; /* messages for the next exchange, from ranks that are ahead */
	int *sockets;  /* by peer: the socket to it; -1 for this peer */
	pid_t *forked; /* in the first peer: the other peers */
};

/* Forks count - 1 processes; all `count` processes return true.  If the processes cannot be forked, only
 * the first one returns, with false. */
bool lp_peers_fork(struct lp_peers *, uint32_t count);
void lp_peers_of_ranks(struct lp_peers *, struct lp_ranks *);

/* Sends out[i] to each peer i.  in[i] is emptied, and becomes what peer i sends; in[self] stays empty.  Returns false if a
 * peer is lost. */
static inline bool lp_peers_exchange(struct lp_peers *p, const struct lp_bytes *out, struct lp_bytes *in)
{
	return p->exchange(p, out, in);
}

/* To be called after a failed exchange.  If the peers are forked, the first one kills all others, because they may visit states
 * for a long time before they notice the failure. */
void lp_peers_kill(struct lp_peers *);
/* If the peers are forked, ends all but the first one, which returns. */
void lp_peers_leave(struct lp_peers *);
void lp_peers_close(struct lp_peers *);

#endif
