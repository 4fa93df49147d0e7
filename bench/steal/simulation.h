/* simulation.h -- discrete events: work stealing of many ranks on a tree of work.
 *
 * Hosts have a pool each, shared by their workers, and rank 0 has the global list.  A worker without work takes a piece of its
 * host's pool, or another worker of the host gives it one.  If there is none, the host asks rank 0 (TAKE), which sends a piece of
 * its list, or asks a host that works (ASK) for one, which answers with pieces (GIVE) or has none.  Pieces go through rank 0: its
 * list is in the order of a single walk.
 *
 * Two things can be changed:
 *   batch     how many pieces a host gives when it is asked
 *   groups    hosts are in so many groups, each with a list of its own; the list of rank 0 is used between groups only
 */
#ifndef BENCH_STEAL_SIMULATION_H
#define BENCH_STEAL_SIMULATION_H

#include <stdint.h>

#include "tree.h"

struct costs { /* in seconds */
	double graph;   /* to explore one */
	double local;   /* to hand a piece over within a host: to write, read and follow it */
	double latency; /* of a message */
	double piece;   /* a piece in a message, beyond that */
	double serve;   /* what a list needs for a message: rank 0 is busy meanwhile */
};

struct setting {
	uint32_t hosts, workers; /* workers of each host */
	uint32_t batch, groups;
	struct costs costs;
	uint64_t seed;
};

struct outcome {
	double seconds;
	double efficiency;  /* work by ranks and time */
	double root;        /* part of the time that the busiest list was busy */
	uint64_t local, messages, pieces; /* handed over within hosts; sent; pieces in these */
	uint64_t explored;  /* graphs: all of them */
};

struct outcome simulate(const struct tree *, const struct setting *);

#endif
