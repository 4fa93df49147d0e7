/* peers.h -- the processes that search together, and how they exchange bytes.
 *
 * There is one kind of communication: all peers exchange.  Each has bytes for each, and gets the bytes of each.
 * The peers are forked from one process and connected by sockets (lp_peers_fork), or they are the ranks of a job
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
	struct { LP_VEC(struct lp_peer_message); } early; /* messages of ranks that are ahead */
	int *sockets;  /* by peer; -1: its own */
	pid_t *forked; /* by peer; of the first one */
};

/* Forks count - 1 processes; all of them return.  False, in the first one alone, if that cannot be. */
bool lp_peers_fork(struct lp_peers *, uint32_t count);
void lp_peers_of_ranks(struct lp_peers *, struct lp_ranks *);

/* out[i] goes to peer i, and in[i], which is emptied before, is what peer i sends; in[self] stays empty.  False if a peer is
 * lost. */
static inline bool lp_peers_exchange(struct lp_peers *p, const struct lp_bytes *out, struct lp_bytes *in)
{
	return p->exchange(p, out, in);
}

/* Of forked peers, only the first one returns. */
void lp_peers_leave(struct lp_peers *);
void lp_peers_close(struct lp_peers *);

#endif
