/* shared.h -- one search by several processes, which are called peers.
 *
 * The fingerprint of a state determines which peer owns it.  The owner has the state in its table of visited states, keeps its record, and
 * visits it.  README.md explains why the result is that of a search by one process.
 */
#ifndef LP_EXPLORE_STATE_SHARED_SHARED_H
#define LP_EXPLORE_STATE_SHARED_SHARED_H

#include "explore/state/shared/learnt.h"
#include "explore/state/shared/named_sets.h"
#include "explore/state/shared/peers.h"
#include "explore/state/shared/telling.h"

/* Why a peer stopped visiting.  LP_STARTS_AGAIN, LP_LEARNT_RESULT: the search must restart, in the second case because the monitor has
 * learnt something (state.h). */
enum lp_shared_event { LP_NOTHING_HAPPENED, LP_STARTS_AGAIN, LP_LEARNT_RESULT, LP_WENT_WRONG, LP_STOPPED };

struct lp_shared {
	struct lp_peers peers;
	struct lp_named_sets sets;
	struct lp_learnt facts;
	struct lp_telling telling;
	bool is_split;            /* the search has been divided: each peer visits its own states */
	bool is_lost;             /* a peer is lost: the exchange with it failed */
	struct lp_bytes *out, *in; /* by peer */
	uint64_t seq;             /* the place of the visited state among the states of all peers at its distance */
	struct { LP_VEC(uint64_t); } seqs; /* such places of all states of this peer at the distance */
	uint32_t agreed_records;  /* records with lower numbers are the same in all peers */
	struct { LP_VEC(struct lp_origin); } origins; /* by record, from agreed_records on */
	uint64_t others;          /* the number of states of the other peers, at the last exchange */
};

/* The origin of a state: the peer that visited its parent, and the state's distance from the first state in
 * transitions. */
struct lp_origin {
	uint32_t peer, depth;
};

/* Returns NULL if there is only one process. */
struct lp_shared *lp_shared_open(const struct lp_state_options *, const struct lp_state_monitor *);
void lp_shared_close(struct lp_shared *);

/* Divides the search: from now on each peer visits its own states.  Returns false if the search cannot be
 * divided. */
bool lp_shared_split(struct lp_state_search *, struct lp_snapshot *);
/* lp_shared_distance() visits the states of a distance together with the other peers.  lp_shared_advance() goes
 * on to the next distance that has states; it returns false if there is none. */
void lp_shared_distance(struct lp_state_search *, struct lp_snapshot *);
bool lp_shared_advance(struct lp_state_search *);
/* To be called when the search ends or restarts: adds up the counts of all peers.  If the peers were forked, all processes
 * but the first one exit here. */
void lp_shared_join(struct lp_state_search *);

/* shared_end.c: `peer` has found a violation.  The first peer follows the path to the violation, and so finds the
 * violation itself.  `last` is the record of the last transition of this path. */
void lp_shared_find_wrong(struct lp_state_search *, struct lp_snapshot *, uint32_t peer, struct lp_record last);
/* Returns the distance of a state of this peer from the first state. */
uint32_t lp_shared_depth(const struct lp_state_search *, uint32_t record);

/* Sends what is in `out`, empties it, and receives `in`. */
void lp_shared_exchange(struct lp_state_search *);

static inline bool lp_shared_is_split(const struct lp_shared *sh)
{
	return sh && sh->is_split;
}

#endif
