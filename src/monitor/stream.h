/* stream.h -- from rings to starts and ends of calls, in the order of time.
 *
 * Once in a while there is a round.  It finds out up to which time, the *horizon*, all
 * calls are known: every call that starts before it has returned and is in a ring, or is
 * known to be lost.  Then starts and ends before the horizon are merged and handed to the
 * live checker, or to the dump.
 *
 * How the horizon is found, and why it is right, is told in docs/monitor.md.
 *
 * A stream belongs to the checker thread.
 */
#ifndef LP_MONITOR_STREAM_H
#define LP_MONITOR_STREAM_H

#include "monitor/dump.h"
#include "monitor/live/live_checker.h"
#include "monitor/ring.h"

struct lp_stream {
	struct lp_rings *rings;
	struct lp_monitor_face *face;
	bool has_live;        /* else: a dump, or nothing */
	struct lp_live live;
	struct lp_dump dump;

	uint64_t floor;       /* whatever was before that has been handed on */
	bool lost;            /* within a gap: nothing can be said */
	bool silent;          /* recording is off: there is no telling how long it lasts */
	uint64_t lost_until;  /* if it is neither silent nor deaf */
	bool muted;           /* recording is off, or only just on again */
	bool unmuting;        /* it is on, but some may still be in calls not recorded */
	bool muted_again;     /* and it is off again already */
	uint64_t muted_again_from;
	uint64_t muted_from;
	uint64_t unmuted_at;  /* so far */
	uint32_t mute_rings;  /* how many may be in a call that is not recorded */
	uint32_t refused;     /* as last seen */
	bool mutes;           /* recording is off because we wanted that (config.share) */
	bool deaf;            /* threads without a ring are in calls */
	const char *loss;     /* why something was lost; NULL: nothing, since it was told */
	bool drained;         /* nothing was left in the rings after the last round */

	int64_t words[LP_LIVE_WORDS]; /* of the call that is handed on */

	uint32_t few;         /* events of a ring at one time are handed on one by one */

	struct lp_ring **heap;
	uint32_t heap_count;

	uint64_t calls, unchecked, gaps, violations, events;
	uint64_t published;   /* events, when threads were last told of room in their rings */
	uint64_t forgotten;   /* gaps in which nothing was lost */
	const char *forgotten_why; /* the last of them */
	void (*report)(struct lp_stream *, void *context); /* live.wrong */
	void *context;
};

bool lp_stream_open(struct lp_stream *s, struct lp_rings *rings, struct lp_monitor_face *face);
void lp_stream_close(struct lp_stream *s);

/* What was there before the first call: nothing, or nothing known. */
void lp_stream_begin(struct lp_stream *s, bool unknown);

/* True if there is more to do at once. */
bool lp_stream_round(struct lp_stream *s);

/* Once in a while, between rounds: for violations that would be found late. */
void lp_stream_look(struct lp_stream *s);

/* After the last round. */
void lp_stream_finish(struct lp_stream *s);

/* Stops and resumes the recording of calls; to be resumed only when what was recorded has
 * been handed on (`drained`). */
void lp_stream_mute(struct lp_stream *s);
void lp_stream_unmute(struct lp_stream *s);

/* The words of the call of record i, LP_LIVE_WORDS at most; how many there are.  `args` of them are arguments. */
uint32_t lp_stream_words(const struct lp_ring *r, uint64_t i, uint32_t args, int64_t *words);

/* Every thread of the process passes a full barrier; false if that cannot be had. */
bool lp_barrier_open(void);

#endif
