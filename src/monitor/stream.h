/* stream.h -- reads the rings, and passes on the starts and ends of calls in the order of time.
 *
 * The stream works in rounds.  A round first determines the *horizon*: a time up to which all calls are known.  If a call starts
 * before the horizon, either it has returned and is in a ring, or it is known to be lost.  Then the round merges the starts and
 * ends before the horizon, and passes them to the live checker, or to the dump.
 *
 * docs/monitor.md explains how the horizon is found, and why it is correct.
 *
 * A stream belongs to the checker thread.
 */
#ifndef LP_MONITOR_STREAM_H
#define LP_MONITOR_STREAM_H

#include "monitor/dump.h"
#include "monitor/live/live_checker.h"
#include "monitor/ring.h"

/* A gap: a period in which calls were lost, so that nothing can be checked. */
struct lp_stream_gap {
	bool open;            /* the stream is within a gap */
	bool silent;          /* recording is off, so the end of the gap is not known */
	bool deaf;            /* threads without a ring are in calls, so the end of the gap is not known */
	uint64_t until;       /* the end of the gap, if neither `silent` nor `deaf` */
	uint32_t refused;     /* lp_rings.refused, as last read */
	const char *loss;     /* the reason of a loss that was not reported yet; NULL: none */
	uint64_t forgotten;   /* the number of gaps in which no call was lost, but the checker had to forget its data */
	const char *forgotten_why; /* the reason of the last such gap */
};

/* Recording that is switched off and on again. */
struct lp_stream_muting {
	bool meant;           /* recording was switched off on purpose (config.share) */
	bool muted;           /* recording is off; or it was switched on, but the checker has not caught up */
	bool unmuting;        /* recording is on again, but some threads may still be in calls that are not recorded */
	bool again;           /* recording was switched off again during `unmuting` */
	uint64_t from, again_from; /* when recording was switched off, and when it was switched off again */
	uint64_t until;       /* the latest time at which recording was switched on */
	uint32_t rings;       /* the number of rings whose threads may be in a call that is not recorded */
};

struct lp_stream {
	struct lp_rings *rings;
	struct lp_monitor_face *face;
	bool has_live;        /* there is a live checker; otherwise there is a dump, or neither */
	struct lp_live live;
	struct lp_dump dump;

	uint64_t floor;       /* all events before this time have been passed on */
	struct lp_stream_gap gap;
	struct lp_stream_muting muting;
	bool drained;         /* nothing was left in the rings after the last round */

	int64_t words[LP_LIVE_WORDS]; /* the words of the call that is being passed on */

	uint32_t few;         /* if a ring has at most this many events at one time, they are passed on one by one */

	struct lp_ring **heap;
	uint32_t heap_count;

	uint64_t calls, unchecked, gaps, violations, events;
	uint64_t published;   /* `events` when `tail` was last published to the threads */
	void (*report)(struct lp_stream *, void *context); /* called when live.wrong is set */
	void *context;
};

bool lp_stream_open(struct lp_stream *s, struct lp_rings *rings, struct lp_monitor_face *face);
void lp_stream_close(struct lp_stream *s);

/* Begins.  The object is in its initial state; if `unknown` is set, its state is not known. */
void lp_stream_begin(struct lp_stream *s, bool unknown);

/* Runs one round.  Returns true if the next round should follow at once. */
bool lp_stream_round(struct lp_stream *s);

/* To be called from time to time between rounds.  Makes checks that are otherwise delayed (lp_live_kind.look). */
void lp_stream_look(struct lp_stream *s);

/* To be called after the last round. */
void lp_stream_finish(struct lp_stream *s);

/* Stops and resumes the recording of calls.  Resume only when everything that was recorded has
 * been passed on (`drained`). */
void lp_stream_mute(struct lp_stream *s);
void lp_stream_unmute(struct lp_stream *s);

/* Reads the arguments and results of the call of record i, at most LP_LIVE_WORDS in all; the first `args` are
 * arguments.  Returns their number. */
uint32_t lp_stream_words(const struct lp_ring *r, uint64_t i, uint32_t args, int64_t *words);

/* Prepares membarrier(), which makes every thread of the process pass a full barrier.  Returns false if it is not
 * available. */
bool lp_stream_open_barrier(void);

#endif
