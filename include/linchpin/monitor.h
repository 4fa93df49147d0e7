/* linchpin/monitor.h -- watch an object in production: wrap its calls, link the library.
 *
 *     struct lp_monitor_config config = { .spec = "queue" };
 *     struct lp_monitor *m = lp_monitor_open(&config, NULL, 0);
 *     int enqueue = lp_monitor_method(m, "enqueue");
 *     int dequeue = lp_monitor_method(m, "dequeue");
 *     ...
 *     struct lp_monitor_call c = lp_monitor_call(m);
 *     queue_push(&q, v);
 *     lp_monitor_return(c, enqueue, v, LP_VOID);
 *     ...
 *     c = lp_monitor_call(m);
 *     bool got = queue_pop(&q, &v);
 *     lp_monitor_return(c, dequeue, LP_VOID, got ? v : LP_EMPTY);
 *     ...
 *     lp_monitor_close(m, NULL);
 *
 * Every thread records its calls in its own ring; a checker thread reads the rings and
 * reports calls that no order allowed by the specification explains.  lp_monitor_call() and
 * lp_monitor_return() never block, make no system call and allocate nothing, except in the
 * first call of a thread.  If the monitor is NULL, they do nothing.
 *
 * If three rules are kept, there are no false alarms; docs/monitor.md has the rules and the reasons, and says which violations are not
 * found.  Calls are lost if a ring is full; the monitor counts lost calls, and reports nothing that a lost call could explain.
 *
 * The values in the object should be distinct; repeated values are not checked.
 */
#ifndef LINCHPIN_MONITOR_H
#define LINCHPIN_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "linchpin/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LP_MONITOR_API __attribute__((visibility("default")))
#define LP_MONITOR_INLINE static inline __attribute__((always_inline))

struct lp_monitor;

/* A call of a violation.  `arg` and `result` are LP_VOID if the call has no argument or no result. */
struct lp_monitor_op {
	uint64_t start, end;  /* by the monitor's clock; end: UINT64_MAX if not seen yet */
	int64_t arg, result;
	const char *method;   /* NULL: the initial contents, from before the recorded calls */
	uint32_t thread;      /* numbered in the order of their first calls */
	/* For kinds whose calls may have several arguments or results: all arguments, then all results; else NULL. */
	const int64_t *words;
	uint32_t word_count, arg_count;
};

struct lp_monitor_violation {
	const char *why;
	const struct lp_monitor_op *ops; /* a small core of calls, by start */
	uint32_t count;
	bool confirmed; /* the checker of recorded histories has found that these calls alone are wrong */
	const char *text; /* the report as text */
};

/* LOSS: checking pauses, because calls were lost or are not recorded.  RECOVERY: checking continues. */
enum lp_monitor_event { LP_MONITOR_LOSS = 1, LP_MONITOR_RECOVERY = 2 };

struct lp_monitor_notice {
	enum lp_monitor_event event;
	const char *why;      /* the reason of a loss; NULL: it is a recovery */
	uint64_t not_checked; /* after a recovery: calls that were lost, skipped or not checked since the loss */
	double seconds;       /* after a recovery: the time since the loss */
	const char *text;     /* the notice as text */
};

/* Zero is a good default for everything except `spec`. */
struct lp_monitor_config {
	const char *spec;       /* "queue", "stack", "set", "register:init=nil", "map", "lock", ... */
	uint32_t ring;          /* calls in a thread's ring, 40 bytes each; rounded up to a power of two, at least 4; 0: 65536 */
	uint32_t threads;       /* maximum number of threads at a time; 0: 1024 */
	uint32_t values;        /* maximum number of values in the object; 0: 1048576 */
	uint32_t ak;            /* use A_k with this k; 0: use the exact check, if there is one */
	uint32_t tick;          /* calls of a thread per tick of the clock; 0: the monitor adapts the number */
	double share;           /* fraction of the time in which calls are recorded and checked; 0: always */
	bool not_empty;         /* the object may already hold values when monitoring begins */
	bool repeats;           /* the object may contain the same value twice at the same time */
	bool seq_cst;           /* calls access the object by sequentially consistent atomic operations, the default of
	                         * `_Atomic` and std::atomic; then the monitor needs no fence after a call */
	bool quiet;             /* print nothing */
	int nice;               /* niceness of the checker thread; 0: that of the process */
	uint32_t poll_us;       /* how many microseconds the checker sleeps between rounds; 0: 1000 */
	uint32_t most_reports;  /* number of violations that are printed; 0: 10 */
	FILE *report;           /* NULL: standard error */
	bool nothing;           /* record calls and discard them, to measure the cost */
	const char *dump;       /* calls are only written to this file, for `linchpin history`, and not checked; NULL:
				 * they are checked */

	/* The checker thread calls these; they must not close the monitor. */
	void (*violation)(const struct lp_monitor_violation *, void *context);
	void (*notice)(const struct lp_monitor_notice *, void *context);
	void *context;
};

struct lp_monitor_stats {
	uint64_t calls;      /* recorded calls that the checker has read */
	uint64_t checked;    /* of these: checked */
	uint64_t unchecked;  /* of these: not checked, since other calls had been lost */
	uint64_t ignored;    /* of these: calls of sorts that are not checked live, such as calls that only observe or fail */
	uint64_t unclear;    /* of these: not checked, on a value that may have been present twice */
	uint64_t lost;       /* not recorded: a ring was full, or a call was left by a jump */
	uint64_t skipped;    /* not recorded, because recording was off */
	uint64_t muted;      /* how often recording was switched off */
	uint64_t gaps;       /* how often the check restarted from an unknown state of the object */
	uint64_t forgotten;  /* of the `gaps`: those caused by a limit, not by a loss */
	const char *forgotten_why; /* the last such limit; NULL: there was none */
	uint64_t violations;
	uint64_t threads;    /* threads that ever made a call */
	uint64_t ticks;      /* ticks of the clock */
	uint64_t bytes;      /* held by the monitor */
	bool stopped;        /* checking has stopped: out of memory, or threads without a ring are in calls */
};

/* Returns NULL on failure, and writes the reason to `error`, which has `size` bytes, unless `error` is NULL. */
LP_MONITOR_API struct lp_monitor *lp_monitor_open(const struct lp_monitor_config *config,
						  char *error, size_t size);

/* Returns the number of a method, for lp_monitor_return(); -1 if the specification has no such method. */
LP_MONITOR_API int lp_monitor_method(const struct lp_monitor *m, const char *name);

/* Waits until all calls that have returned so far are checked, but at most ten seconds. */
LP_MONITOR_API void lp_monitor_sync(struct lp_monitor *m);

/* Call it as lp_monitor_stats(m, &stats).  lp_monitor_stats() and lp_monitor_call() are macros because, in C++, a
 * function would hide the structure of the same name, and `lp_monitor_stats stats;` would not compile. */
LP_MONITOR_API void lp_monitor_read_stats(struct lp_monitor *m, struct lp_monitor_stats *stats);
#define lp_monitor_stats(m, stats) lp_monitor_read_stats(m, stats)

/* Writes the statistics in the format of Prometheus: linchpin_monitor_calls_total{spec="queue"} 17, and so on.  The
 * text is cut to `size` bytes, including the final zero.  Returns the length of the whole text. */
LP_MONITOR_API size_t lp_monitor_metrics(struct lp_monitor *m, char *text, size_t size);

/* Checks the remaining calls, prints a summary, and frees everything.  No thread may be in a
 * call of this monitor, or begin one.  `stats` may be NULL.
 *
 * After fork() the child has no checker, and its calls are not recorded.  In the child, lp_monitor_sync() and
 * lp_monitor_close() return at once; lp_monitor_close() frees the child's copy of the monitor and prints nothing. */
LP_MONITOR_API void lp_monitor_close(struct lp_monitor *m, struct lp_monitor_stats *stats);

/* ---- Internal: only here so that it can be inlined. ---- */

enum {
	LP_MONITOR_SLOTS = 32,  /* monitors at a time */
	LP_MONITOR_IDLE = 0,    /* value of `open`: between calls */
	LP_MONITOR_MUTE = 1,    /* value of `open`: in a call that is not recorded */
	LP_MONITOR_OUTSIDE = 2, /* value of `start`: the thread has no ring */
	LP_MONITOR_FIRST = 16,  /* the clock begins here */
	LP_MONITOR_METHOD = 56, /* the number of the method is in `end` from this bit on */
	LP_MONITOR_GAP = 255,   /* a "method": calls were lost from start to end */
	LP_MONITOR_TURN = 254,  /* a "method": from here on, the calls are those of another thread */
	LP_MONITOR_MORE = 253,  /* a "method": further arguments and results of the call before */
};

struct lp_monitor_record {
	uint64_t start;
	uint64_t end; /* in its upper bits: the method */
	int64_t arg, result;
};

/* One producer, the thread; one consumer, the checker. */
struct lp_monitor_ring {
	/* Written by the thread. */
	uint64_t open;       /* the start of the current call, or IDLE, or MUTE */
	uint64_t head;       /* records written so far */
	uint64_t gap;        /* if calls were lost and no record says so yet: the time since which calls were lost; else
			      * 0 */
	uint64_t gap_end;    /* if `gap` is not 0: the time until which calls were lost */
	uint64_t lost;
	uint64_t tail_seen;  /* the value of `tail` that the thread has read last */
	/* These do not change while the ring belongs to a thread. */
	struct lp_monitor_record *at;
	uint64_t mask;       /* the number of records that fit into the ring, minus 1 */
	uint64_t id;         /* the `id` of the monitor */
	/* Written by the thread while recording is off. */
	uint64_t skipped;    /* calls that were not recorded */
	/* Written by the checker. */
	__attribute__((aligned(128))) uint64_t tail; /* records that the checker has read */
};

/* The part of a monitor that calls read. */
struct lp_monitor_face {
	uint64_t *clock;
	uint64_t id;
	uint64_t every;  /* a mask: the clock ticks at calls whose number has none of these bits */
	uint64_t muted_at; /* the time since which some calls may be missing from the record */
	uint32_t slot;
	uint32_t mode;   /* bit 0: record calls; bit 1: membarrier() is missing, so calls need fences */
	uint32_t fence;  /* not 0: a fence is needed after each call */
};

enum { LP_MONITOR_RECORDS = 1, LP_MONITOR_FENCES = 2 };

struct lp_monitor_call {
	struct lp_monitor_face *face;
	struct lp_monitor_ring *ring; /* NULL: do nothing */
	uint64_t start;
};

extern LP_MONITOR_API __thread struct lp_monitor_ring *lp_monitor_rings[LP_MONITOR_SLOTS]
	__attribute__((tls_model("initial-exec")));

/* The rare cases.  lp_monitor_enter(): the first call of a thread.  lp_monitor_outside_ends(): the end of a call of
 * a thread without a ring.  lp_monitor_abandon(): a call begins although the one before did not return.
 * lp_monitor_room(): the ring is full, or another record must be written first. */
LP_MONITOR_API struct lp_monitor_ring *lp_monitor_enter(struct lp_monitor *m);
LP_MONITOR_API void lp_monitor_outside_ends(struct lp_monitor_face *face);
LP_MONITOR_API void lp_monitor_abandon(struct lp_monitor_ring *r, uint64_t now);
LP_MONITOR_API bool lp_monitor_room(struct lp_monitor_call c, uint64_t now);

/* Makes everything that the call did visible to all threads before anything that follows it. */
LP_MONITOR_INLINE void lp_monitor_fence(void)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__asm__ volatile("lock; orl $0, (%%rsp)" ::: "memory", "cc"); /* half an mfence */
#else
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Returns true if this call must not be recorded.  To switch recording on, the checker sets the mode, then makes all
 * threads pass a barrier, and then looks for open calls that are not recorded.  So either the checker sees that this
 * call is open, or this function sees the new mode. */
LP_MONITOR_INLINE bool lp_monitor_mute(const struct lp_monitor_face *face,
				       struct lp_monitor_ring *r, uint32_t mode)
{
	if (mode & LP_MONITOR_RECORDS)
		return false;
	__atomic_store_n(&r->open, (uint64_t)LP_MONITOR_MUTE, __ATOMIC_RELEASE);
	if (mode & LP_MONITOR_FENCES)
		lp_monitor_fence();
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return !(__atomic_load_n(&face->mode, __ATOMIC_RELAXED) & LP_MONITOR_RECORDS);
}

/* To be called before a call of the object. */
LP_MONITOR_INLINE struct lp_monitor_call lp_monitor_begin(struct lp_monitor *m)
{
	struct lp_monitor_face *face = (struct lp_monitor_face *)(void *)m;
	struct lp_monitor_call c = { face, NULL, LP_MONITOR_MUTE };

	if (__builtin_expect(!m, 0))
		return c;
	c.ring = lp_monitor_rings[face->slot];
	if (__builtin_expect(!c.ring || c.ring->id != face->id, 0) &&
	    !(c.ring = lp_monitor_enter(m))) {
		c.start = LP_MONITOR_OUTSIDE;
		return c;
	}
	const uint32_t mode = __atomic_load_n(&face->mode, __ATOMIC_RELAXED);
	if (__builtin_expect(c.ring->open != LP_MONITOR_IDLE, 0)) {
		lp_monitor_fence(); /* makes the effects of the abandoned call visible before its end is read from
				     * the clock */
		lp_monitor_abandon(c.ring, __atomic_load_n(face->clock, __ATOMIC_SEQ_CST));
	}
	if (__builtin_expect(mode != LP_MONITOR_RECORDS, 0) && lp_monitor_mute(face, c.ring, mode))
		return c;
	c.start = __atomic_load_n(face->clock, __ATOMIC_SEQ_CST);
	__atomic_store_n(&c.ring->open, c.start, __ATOMIC_RELEASE);
	if (__builtin_expect(mode & LP_MONITOR_FENCES, 0))
		lp_monitor_fence();
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return c;
}

#define lp_monitor_call(m) lp_monitor_begin(m)

/* To be called after a call of the object.  `arg` or `result` is LP_VOID if the call has no argument or no result. */
LP_MONITOR_INLINE void lp_monitor_return(struct lp_monitor_call c, int method, int64_t arg,
				     int64_t result)
{
	struct lp_monitor_ring *r = c.ring;
	uint64_t end;

	if (__builtin_expect(!r, 0)) {
		if (c.start == LP_MONITOR_OUTSIDE)
			lp_monitor_outside_ends(c.face);
		return;
	}
	if (__builtin_expect(c.start == LP_MONITOR_MUTE, 0)) {
		__atomic_store_n(&r->skipped, r->skipped + 1, __ATOMIC_RELAXED);
		__atomic_store_n(&r->open, (uint64_t)LP_MONITOR_IDLE, __ATOMIC_RELEASE);
		return;
	}
	const uint64_t head = r->head;
	if (c.face->fence)
		lp_monitor_fence();
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(!(head & __atomic_load_n(&c.face->every, __ATOMIC_RELAXED)), 0))
		end = __atomic_fetch_add(c.face->clock, 1, __ATOMIC_SEQ_CST);
	else
		end = __atomic_load_n(c.face->clock, __ATOMIC_SEQ_CST);
	if (__builtin_expect(head - r->tail_seen > r->mask || r->gap || r->open != c.start, 0) &&
	    !lp_monitor_room(c, end))
		return;
	struct lp_monitor_record *to = &r->at[r->head & r->mask];
	to->start = c.start;
	to->end = end | (uint64_t)(unsigned)method << LP_MONITOR_METHOD;
	to->arg = arg;
	to->result = result;
	__atomic_store_n(&r->head, r->head + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&r->open, (uint64_t)LP_MONITOR_IDLE, __ATOMIC_RELEASE);
}

/* Replaces lp_monitor_return() for calls with several arguments or results, such as put(key, value) of a map or the
 * scan of a snapshot.  There may be at most 66 arguments and results together. */
LP_MONITOR_API void lp_monitor_return_words(struct lp_monitor_call c, int method, const int64_t *args,
					    unsigned arg_count, const int64_t *results,
					    unsigned result_count);

/* Use this function instead of lp_monitor_return() for a call that had no effect and says nothing about the object; the
 * monitor treats the call as if it had not been made.  An example is a try_lock that gave up before it read the lock.
 * But a try_lock that found the lock held must be recorded with its result. */
LP_MONITOR_INLINE void lp_monitor_cancel(struct lp_monitor_call c)
{
	struct lp_monitor_ring *r = c.ring;

	if (!r && c.start == LP_MONITOR_OUTSIDE)
		lp_monitor_outside_ends(c.face);
	if (r && r->open == c.start)
		__atomic_store_n(&r->open, (uint64_t)LP_MONITOR_IDLE, __ATOMIC_RELEASE);
}

#ifdef __cplusplus
}
#endif

#endif
