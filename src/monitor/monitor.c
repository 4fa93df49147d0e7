/* monitor.c -- opening and closing monitors; the checker thread.
 *
 * Each monitor has one checker thread.  The thread sleeps most of the time, and performs rounds in between (stream.h).
 *
 * The thread also regulates the clock.  The more calls there are, the smaller the part of them that advances the clock, so that the
 * clock's cache line moves between processors at most about 250,000 times a second.  Each move makes every thread wait once, for 50
 * to 200 ns.  If two threads make three million calls a second each, a million moves a second cost them 4 % of their time.
 */
#define _GNU_SOURCE /* SCHED_IDLE */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "linchpin/monitor.h"
#include "monitor/notice.h"
#include "monitor/recheck.h"
#include "monitor/report.h"
#include "monitor/stream.h"

enum {
	TICKS_PER_SECOND = 250 * 1000,
	SLOWEST_TICK = 1 << 12,
	SYNC_SECONDS = 10,
};

/* Seconds that calls are recorded for at a time, if not always. */
#define STRETCH 0.01

/* What only the checker thread uses. */
struct lp_monitor_checker {
	jmp_buf escape;
	uint64_t muted, reports;
	struct lp_notices notices;
	double last_rate, last_look;
	double on_since, off_since; /* recording; 0: not known yet */
	uint64_t last_calls;
};

struct lp_monitor {
	struct lp_monitor_face face; /* first: calls know it by this address */
	__attribute__((aligned(128))) uint64_t clock;
	__attribute__((aligned(128))) struct lp_rings rings;
	struct lp_monitor_config config;
	struct lp_spec spec;
	char name[64];
	struct lp_stream stream;

	pthread_t thread;
	pthread_mutex_t lock;  /* of what follows */
	pthread_cond_t wake;   /* the checker */
	pthread_cond_t done;   /* threads that wait for the checker */
	bool stop;
	uint64_t wanted;       /* lp_monitor_sync() waits until the floor is above that */
	uint64_t floor;        /* of the stream, after the last round */
	struct lp_monitor_stats stats;
	bool stopped;
	bool is_copy;          /* in a child of fork(), where there is no checker */

	struct lp_monitor_checker checker;
};

/* All that are open, by slot, for fork(). */
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct lp_monitor *all[LP_MONITOR_SLOTS];
static uint64_t ids;

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- The checker thread ---- */

static void report(struct lp_stream *s, void *context)
{
	struct lp_monitor *m = context;
	static _Thread_local char text[8192];
	const bool confirmed = lp_recheck_confirms(&s->live);
	const uint32_t most = m->config.most_reports ? m->config.most_reports : 10;

	lp_report_violation(&s->live, s->violations, confirmed, text, sizeof text);
	if (!m->config.quiet && m->checker.reports < most) {
		FILE *to = m->config.report ? m->config.report : stderr;
		fputs(text, to);
		if (++m->checker.reports == most)
			fputs("linchpin monitor: further violations are only counted\n", to);
		fflush(to);
	}
	if (m->config.violation) {
		const struct lp_monitor_violation v = { .why = s->live.why,
							.ops = s->live.core,
							.count = s->live.core_count,
							.confirmed = confirmed,
							.text = text };
		m->config.violation(&v, m->config.context);
	}
}

/* Sets the number of calls of a thread for each tick such that there are not too many ticks. */
static void adapt(struct lp_monitor *m, double now)
{
	uint64_t calls = 0, every = 1;

	if (m->config.tick || now - m->checker.last_rate < 0.01)
		return;
	for (uint32_t i = 0; i < m->rings.most && lp_ring_at(&m->rings, i); i++)
		calls += __atomic_load_n(&lp_ring_at(&m->rings, i)->face.head, __ATOMIC_RELAXED);
	const double rate = (double)(calls - m->checker.last_calls) / (now - m->checker.last_rate);
	while (every < SLOWEST_TICK && rate > (double)every * (double)TICKS_PER_SECOND)
		every *= 2;
	__atomic_store_n(&m->face.every, every - 1, __ATOMIC_RELAXED);
	m->checker.last_calls = calls;
	m->checker.last_rate = now;
}

/* Recording is switched off for all threads when a ring is full (lp_monitor_room()), since an
 * incomplete record could not be checked.  It is switched on again when everything that was
 * recorded has been checked, and when recording and checking have taken no more than their
 * share of the time. */
static void switch_recording(struct lp_monitor *m, double now)
{
	struct lp_stream *s = &m->stream;
	const double share = m->config.share;
	const bool shares = share > 0 && share < 1;

	if (m->checker.on_since <= 0)
		m->checker.on_since = now;
	if (!s->muting.muted) {
		if (shares && now - m->checker.on_since > STRETCH)
			lp_stream_mute(s);
		return;
	}
	if (s->muting.unmuting || !s->drained || s->floor < s->muting.from)
		return;
	if (m->checker.off_since <= 0)
		m->checker.off_since = now;
	if (shares && now - m->checker.off_since < (m->checker.off_since - m->checker.on_since) * (1 / share - 1))
		return;
	m->checker.muted++;
	m->checker.on_since = now;
	m->checker.off_since = 0;
	lp_stream_unmute(s);
}

static void count(struct lp_monitor *m)
{
	const struct lp_stream *s = &m->stream;
	struct lp_monitor_stats stats = { .calls = s->calls,
					  .unchecked = s->unchecked,
					  .ignored = s->live.ignored,
					  .unclear = s->live.unclear,
					  .muted = m->checker.muted,
					  .gaps = s->gaps,
					  .forgotten = s->gap.forgotten,
					  .forgotten_why = s->gap.forgotten_why,
					  .violations = s->violations,
					  .stopped = m->stopped || s->gap.deaf };

	stats.bytes = sizeof *m + sizeof *m->rings.at * (uint64_t)m->rings.most;
	for (uint32_t i = 0; i < m->rings.most && lp_ring_at(&m->rings, i); i++) {
		const struct lp_monitor_ring *face = &lp_ring_at(&m->rings, i)->face;
		stats.lost += __atomic_load_n(&face->lost, __ATOMIC_RELAXED);
		stats.skipped += __atomic_load_n(&face->skipped, __ATOMIC_RELAXED);
		stats.bytes += lp_ring_bytes(&m->rings);
	}
	stats.lost += __atomic_load_n(&m->rings.refused, __ATOMIC_RELAXED);
	if (s->has_live && !m->stopped)
		stats.bytes += s->live.kind->bytes(&s->live);
	stats.ticks = __atomic_load_n(&m->clock, __ATOMIC_RELAXED) - LP_MONITOR_FIRST;
	stats.threads = __atomic_load_n(&m->rings.threads, __ATOMIC_RELAXED);
	const uint64_t not = stats.unchecked + stats.ignored + stats.unclear;
	stats.checked = stats.calls > not ? stats.calls - not : 0;
	m->stats = stats;
}

/* What was lost, and whether that is over; the statistics are up to date. */
static void notify(struct lp_monitor *m, double now)
{
	struct lp_stream *s = &m->stream;
	const char *why = m->stopped ? "out of memory: checking has stopped" : s->gap.loss;
	const bool checking = !m->stopped && !s->gap.open && !s->muting.muted;

	lp_notices_tell(&m->checker.notices, why, checking,
			m->stats.lost + m->stats.skipped + m->stats.unchecked, now);
	if (checking)
		s->gap.loss = NULL;
}

static void out_of_memory(void *context)
{
	struct lp_monitor *m = context;
	longjmp(m->checker.escape, 1);
}

/* One round; true if the next one should follow at once.  If memory runs out, checking stops. */
static bool round_of(struct lp_monitor *m, bool look)
{
	if (setjmp(m->checker.escape)) {
		m->stopped = true; /* the checker may be in any state: its data is not used any more */
		m->stream.has_live = false;
		m->stream.gap.open = true;
		m->stream.gap.until = UINT64_MAX;
		return false;
	}
	lp_alloc_on_failure(out_of_memory, m);
	const bool more = lp_stream_round(&m->stream);
	if (look)
		lp_stream_look(&m->stream);
	lp_alloc_on_failure(NULL, NULL);
	return more;
}

static void calm_down(int nice)
{
	struct sched_param none = { 0 };

	if (nice >= 20)
		pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
	else if (nice)
		setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice);
}

static void wait_a_little(struct lp_monitor *m)
{
	const long us = m->config.poll_us ? (long)m->config.poll_us : 1000;
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += us % 1000000 * 1000;
	until.tv_sec += us / 1000000 + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	if (!m->stop && m->wanted < m->floor)
		pthread_cond_timedwait(&m->wake, &m->lock, &until);
}

static void *check(void *context)
{
	struct lp_monitor *m = context;
	bool more = false;

	calm_down(m->config.nice);
	pthread_mutex_lock(&m->lock);
	while (!m->stop) {
		if (!more)
			wait_a_little(m);
		pthread_mutex_unlock(&m->lock);
		const double now = seconds();
		adapt(m, now);
		switch_recording(m, now);
		more = round_of(m, now - m->checker.last_look > 1);
		if (now - m->checker.last_look > 1)
			m->checker.last_look = now;
		pthread_mutex_lock(&m->lock);
		count(m);
		pthread_mutex_unlock(&m->lock);
		notify(m, now);
		pthread_mutex_lock(&m->lock);
		m->floor = m->stream.floor;
		if (m->wanted < m->floor)
			pthread_cond_broadcast(&m->done);
	}
	pthread_mutex_unlock(&m->lock);
	/* The last calls. */
	for (int i = 0; i < 1000 && (round_of(m, false) || i < 3); i++)
		;
	if (!m->stopped && !setjmp(m->checker.escape)) {
		lp_alloc_on_failure(out_of_memory, m);
		lp_stream_finish(&m->stream);
		lp_alloc_on_failure(NULL, NULL);
	}
	return NULL;
}

/* ---- Open and close ---- */

static void make_locks(struct lp_monitor *m)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&m->lock, NULL);
	pthread_cond_init(&m->wake, &monotonic);
	pthread_cond_init(&m->done, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

/* While a process forks, no monitor is opened or closed, and no lock of one is held. */
static void before_fork(void)
{
	pthread_mutex_lock(&all_lock);
	for (uint32_t i = 0; i < LP_MONITOR_SLOTS; i++)
		if (all[i])
			pthread_mutex_lock(&all[i]->lock);
}

static void after_fork(void)
{
	for (uint32_t i = LP_MONITOR_SLOTS; i-- > 0;)
		if (all[i])
			pthread_mutex_unlock(&all[i]->lock);
	pthread_mutex_unlock(&all_lock);
}

/* The child has copies of the monitors and no checker. */
static void in_child(void)
{
	for (uint32_t i = 0; i < LP_MONITOR_SLOTS; i++) {
		struct lp_monitor *m = all[i];
		if (!m)
			continue;
		m->is_copy = true;
		__atomic_and_fetch(&m->face.mode, ~(uint32_t)LP_MONITOR_RECORDS, __ATOMIC_SEQ_CST);
		lp_dump_disown(&m->stream.dump);
		make_locks(m); /* their waiters are gone */
	}
	pthread_mutex_init(&all_lock, NULL);
}

static void notice_forks(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}

static bool take_slot(struct lp_monitor *m)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint32_t i = 0;

	pthread_once(&once, notice_forks);
	make_locks(m);
	pthread_mutex_lock(&all_lock);
	while (i < LP_MONITOR_SLOTS && all[i])
		i++;
	if (i < LP_MONITOR_SLOTS) {
		all[i] = m;
		m->face.slot = i;
		m->face.id = ++ids;
	}
	pthread_mutex_unlock(&all_lock);
	return i < LP_MONITOR_SLOTS;
}

static void leave_slot(struct lp_monitor *m)
{
	pthread_mutex_lock(&all_lock);
	all[m->face.slot] = NULL;
	pthread_mutex_unlock(&all_lock);
	pthread_cond_destroy(&m->done);
	pthread_cond_destroy(&m->wake);
	pthread_mutex_destroy(&m->lock);
}

static bool start_thread(struct lp_monitor *m)
{
	sigset_t everything, old;

	sigfillset(&everything); /* signals are the host's */
	pthread_sigmask(SIG_SETMASK, &everything, &old);
	const int failed = pthread_create(&m->thread, NULL, check, m);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return !failed;
}

static uint32_t power_of_two(uint32_t at_least, uint32_t most)
{
	uint32_t size = 4; /* a call, its turn, a gap */

	while (size < at_least && size < most)
		size *= 2;
	return size;
}

static bool set_up(struct lp_monitor *m, struct lp_error *error)
{
	const struct lp_monitor_config *c = &m->config;
	const struct lp_live_kind *live;

	if (!c->spec || !lp_spec_parse(&m->spec, c->spec, error))
		return c->spec ? false : lp_fail(error, "no specification is given");
	snprintf(m->name, sizeof m->name, "%s", c->spec);
	live = lp_live_kind_of(&m->spec, c->ak);
	if (!live && !c->dump && !c->nothing)
		return lp_fail(error, "%s cannot be checked live, only dumped", c->spec);
	if (live && live->wants_ticks && !c->tick)
		m->config.tick = 1;
	m->clock = LP_MONITOR_FIRST;
	m->face.clock = &m->clock;
	m->face.mode = LP_MONITOR_RECORDS | (lp_stream_open_barrier() ? 0u : LP_MONITOR_FENCES);
	m->face.fence = !c->seq_cst;
	m->face.every = c->tick > 2 ? power_of_two(c->tick, SLOWEST_TICK) - 1 :
			c->tick	    ? c->tick - 1 :
				      15;
	if (!lp_rings_open(&m->rings, c->threads ? c->threads : 1024,
			   power_of_two(c->ring ? c->ring : 65536, 1u << 24)) ||
	    !lp_stream_open(&m->stream, &m->rings, &m->face))
		return lp_fail(error, "out of memory");
	m->checker.notices = (struct lp_notices){ .config = &m->config, .name = m->name };
	m->stream.report = report;
	m->stream.context = m;
	if (c->dump) {
		if (!lp_dump_open(&m->stream.dump, c->dump, &m->spec))
			return lp_fail(error, "cannot write '%s': %s", c->dump, strerror(errno));
	} else if (!c->nothing) {
		if (!lp_live_open(&m->stream.live, live, &m->spec, c->values ? c->values : 1u << 20,
				  c->ak ? c->ak : 4))
			return lp_fail(error, "out of memory");
		m->stream.has_live = true;
		m->stream.live.repeats = c->repeats;
	}
	lp_stream_begin(&m->stream, c->not_empty);
	if (!take_slot(m))
		return lp_fail(error, "more than %d monitors", LP_MONITOR_SLOTS);
	if (start_thread(m))
		return true;
	leave_slot(m);
	return lp_fail(error, "cannot start a thread");
}

struct lp_monitor *lp_monitor_open(const struct lp_monitor_config *config, char *error,
				   size_t size)
{
	struct lp_monitor *m = lp_try_alloc_aligned(128, sizeof *m);
	struct lp_error why = { "out of memory", "" };

	if (m) {
		*m = (struct lp_monitor){ .config = *config };
		if (set_up(m, &why))
			return m;
		lp_stream_close(&m->stream);
		lp_rings_close(&m->rings, false);
		lp_free(m);
	}
	if (error && size)
		snprintf(error, size, "%s", why.text);
	return NULL;
}

int lp_monitor_method(const struct lp_monitor *m, const char *name)
{
	const uint32_t method = m ? lp_method_named(m->spec.kind, name, strlen(name)) : LP_NO_METHOD;
	return method == LP_NO_METHOD ? -1 : (int)method;
}

void lp_monitor_sync(struct lp_monitor *m)
{
	struct timespec until;

	if (!m || m->is_copy)
		return;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += SYNC_SECONDS;
	const uint64_t now = __atomic_add_fetch(&m->clock, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_lock(&m->lock);
	if (now > m->wanted)
		m->wanted = now;
	pthread_cond_signal(&m->wake);
	while (m->floor <= now && !pthread_cond_timedwait(&m->done, &m->lock, &until))
		;
	if (m->floor <= now)
		m->wanted = 0; /* some thread stays in a call: give up waiting */
	pthread_mutex_unlock(&m->lock);
}

void lp_monitor_read_stats(struct lp_monitor *m, struct lp_monitor_stats *stats)
{
	*stats = (struct lp_monitor_stats){ 0 };
	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	*stats = m->stats;
	pthread_mutex_unlock(&m->lock);
}

static void end_thread(struct lp_monitor *m)
{
	pthread_mutex_lock(&m->lock);
	m->stop = true;
	pthread_cond_signal(&m->wake);
	pthread_mutex_unlock(&m->lock);
	pthread_join(m->thread, NULL);
}

void lp_monitor_close(struct lp_monitor *m, struct lp_monitor_stats *stats)
{
	if (!m)
		return;
	if (!m->is_copy) {
		end_thread(m);
		count(m);
		if (!m->config.quiet)
			lp_report_summary(&m->stats, m->name,
					  m->config.report ? m->config.report : stderr);
	}
	if (stats)
		*stats = m->stats;
	leave_slot(m);
	if (!m->is_copy) /* else it is as the checker had it at some moment within its work */
		lp_stream_close(&m->stream);
	lp_rings_close(&m->rings, m->is_copy);
	lp_free(m);
}

struct lp_monitor_ring *lp_monitor_enter(struct lp_monitor *m)
{
	struct lp_ring *r = lp_rings_enter(&m->rings, m->face.id, m->face.slot);
	return r ? &r->face : NULL;
}

size_t lp_monitor_metrics(struct lp_monitor *m, char *text, size_t size)
{
	struct lp_monitor_stats stats;

	if (size)
		text[0] = '\0';
	if (!m)
		return 0;
	lp_monitor_read_stats(m, &stats);
	return lp_report_metrics(&stats, m->name, text, size);
}

void lp_monitor_outside_ends(struct lp_monitor_face *face)
{
	lp_rings_outside_ends(&((struct lp_monitor *)face)->rings);
}
