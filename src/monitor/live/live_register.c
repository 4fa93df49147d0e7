/* live_register.c -- the live checker of registers.
 *
 * As in fast_register.c, a write and the reads of its value form a cluster, with its
 * first end f and its last start s.  The three conditions on zones there amount to one:
 *
 *     no two clusters v, w with  f(v) < s(w)  and  f(w) < s(v)
 *
 * (It holds if two forward zones overlap, or if a backward zone lies within a forward one; it cannot hold for two backward zones.)
 * Besides, no read may end before the write of its value starts.
 *
 * As time goes on, f is fixed when the first call of a cluster ends, and s grows.  So a conflict arises when a call starts: a call
 * on v, if some other w that has an f has s(w) > f(v).  It suffices to know the two clusters with the greatest s.
 *
 * Settled: if some w has an f, and s(w) > f(v), and no call on v is open, then any further read of v is wrong.  So v can be
 * forgotten: a read of a value that is not known is wrong, too.
 *
 * A value may be written again after it was forgotten.  If it is written again before that, it is no longer checked.  As long as a
 * call has not ended, it may turn out that it belongs to such a second write.  So a conflict is reported only when the calls
 * involved have ended, and only calls that have ended make a value settled.
 *
 * After a gap, the register has some old value, and an equal value may be written again, by a call that is seen or by one that was
 * lost in the gap (`swap`, `cas`).  If a read overlaps the write of its value, it may have read the old value.  So such reads are
 * left out until a write has ended, since then the old value is gone.
 */
#include "base/alloc.h"
#include "monitor/index.h"
#include "monitor/live/live_checker.h"
#include "spec/traits.h"

struct cluster {
	int64_t value;
	uint64_t uid;          /* 0: not in use */
	uint64_t end, start;   /* f and s; f: LP_LIVE_NEVER if nothing has ended */
	uint64_t last_end;     /* of all calls that have ended */
	uint32_t users;
	bool has_write, is_before, is_unclear;
	struct lp_live_call write, end_call, start_call;
};

/* The greatest s of a cluster. */
struct peak {
	uint64_t uid, start;
	struct cluster copy; /* as it was then */
};

struct peaks {
	struct peak at[2]; /* of two clusters, greater one first */
};

struct cell {
	struct lp_table clusters;
	uint32_t read, write, cas, swap;
	int64_t init;
	bool unknown;
	uint64_t until;
	uint64_t old_until;    /* calls that start up to then may see what was there before */
	uint64_t uid;
	uint32_t sweep;        /* which item is looked at next, whether it is settled */
	struct peaks started;  /* by calls that have started, of clusters that have an f */
	struct peaks ended;    /* by calls that have ended */
};

static struct cluster *cluster_at(const struct cell *r, uint32_t i)
{
	return lp_table_at(&r->clusters, i);
}

static void peaks_note(struct peaks *p, const struct cluster *c, uint64_t start)
{
	struct peak *at = p->at;

	if (at[0].uid == c->uid) {
		if (start > at[0].start)
			at[0] = (struct peak){ c->uid, start, *c };
	} else if (start > at[0].start || !at[0].uid) {
		at[1] = at[0];
		at[0] = (struct peak){ c->uid, start, *c };
	} else if (start > at[1].start || !at[1].uid) {
		at[1] = (struct peak){ c->uid, start, *c };
	}
}

/* The greatest one of another cluster. */
static const struct peak *peaks_other(const struct peaks *p, uint64_t uid)
{
	const struct peak *other = p->at[0].uid == uid ? &p->at[1] : &p->at[0];
	return other->uid ? other : NULL;
}

static void peaks_drop(struct peaks *p, uint64_t uid)
{
	if (p->at[0].uid == uid)
		p->at[0] = p->at[1];
	if (p->at[1].uid == uid || p->at[1].uid == p->at[0].uid)
		p->at[1] = (struct peak){ 0 };
}

static void blame_cluster(struct lp_live *live, const struct cluster *c)
{
	const struct cell *r = live->self;

	if (c->is_before)
		lp_live_blame(live, (struct lp_monitor_op){
					    .end = r->until, .arg = c->value, .result = LP_VOID });
	else if (c->has_write)
		lp_live_blame_call(live, &c->write);
	/* The calls that f and s are of, unless they are the write. */
	if (c->end_call.end && c->end_call.method == r->read)
		lp_live_blame_call(live, &c->end_call);
	if (c->start_call.end && c->start_call.method == r->read &&
	    (c->end_call.tie != c->start_call.tie || c->end_call.method != r->read))
		lp_live_blame_call(live, &c->start_call);
}

static void blame_conflict(struct lp_live *live, const struct cluster *v, const struct cluster *w)
{
	const uint64_t due = v->start_call.end > w->start_call.end ? v->start_call.end :
								     w->start_call.end;
	if (live->wrong)
		return;
	blame_cluster(live, w);
	blame_cluster(live, v);
	lp_live_wrong(live, "two values are present at the same time, or an older one comes back", due);
}

static struct cluster *cluster_for(struct lp_live *live, int64_t value, uint32_t *index)
{
	struct cell *r = live->self;

	*index = lp_table_find(&r->clusters, value);
	if (*index != LP_NO_ITEM)
		return cluster_at(r, *index);
	*index = lp_table_need(&r->clusters, value);
	if (*index == LP_NO_ITEM) {
		lp_live_stuck(live, LP_LIVE_TOO_MANY);
		return NULL;
	}
	struct cluster *c = cluster_at(r, *index);
	c->uid = ++r->uid;
	c->end = LP_LIVE_NEVER;
	return c;
}

static void become_unclear(struct lp_live *live, struct cluster *c)
{
	struct cell *r = live->self;

	c->is_unclear = true;
	live->unclear += c->has_write;
	peaks_drop(&r->started, c->uid);
	lp_live_retract(live, c->value);
}

/* Does this read overlap the write of its value, and may be one of what was there before? */
static bool may_be_old(const struct cell *r, const struct cluster *c, const struct lp_live_call *call)
{
	return call->method == r->read && c->has_write && c->write.end >= call->start &&
	       call->start <= r->old_until;
}

static void start(struct lp_live *live, const struct lp_live_call *call, uint64_t *handle,
		  bool carried)
{
	struct cell *r = live->self;
	const bool writes = call->method == r->write;
	uint32_t i;

	*handle = 0;
	if ((!writes && call->method != r->read) || (carried && !writes)) {
		live->ignored += !carried; /* a failed compare-and-set; an old look */
		return;
	}
	struct cluster *c = cluster_for(live, writes ? call->arg : call->result, &i);
	if (!c)
		return;
	if (may_be_old(r, c, call)) {
		live->unclear++;
		return;
	}
	*handle = i + 1;
	c->users++;
	if (writes && (c->has_write || c->is_before) && !c->is_unclear)
		become_unclear(live, c);
	if (writes && r->unknown && c->users > 1)
		c->is_unclear = true; /* the reads that are going on may be of the old value */
	if (c->is_unclear) {
		live->unclear++;
		return;
	}
	if (writes) {
		c->has_write = true;
		c->write = *call;
	}
	if (call->start >= c->start) {
		c->start = call->start;
		c->start_call = *call;
	}
	if (c->end == LP_LIVE_NEVER)
		return;
	const struct peak *other = peaks_other(&r->started, c->uid);
	if (other && other->start > c->end)
		blame_conflict(live, c, &other->copy);
	peaks_note(&r->started, c, c->start);
}

/* Forgets clusters that are settled, a few at a time. */
static void sweep(struct cell *r)
{
	for (uint32_t n = 0; n < 3 && r->clusters.used; n++) {
		if (r->sweep >= r->clusters.used)
			r->sweep = 0;
		struct cluster *c = cluster_at(r, r->sweep);
		const struct peak *other = c->uid ? peaks_other(&r->ended, c->uid) : NULL;
		const uint64_t end = c->is_unclear ? c->last_end : c->end;
		if (other && !c->users && other->start > end) {
			lp_table_remove(&r->clusters, r->sweep);
			c->uid = 0;
		}
		r->sweep++;
	}
}

/* A read ends, and the value it read was not written. */
static void end_unknown(struct lp_live *live, const struct lp_live_call *call, struct cluster *c)
{
	struct cell *r = live->self;

	if (!r->unknown) {
		/* If it was forgotten, then because of another one. */
		if (r->ended.at[0].uid && r->ended.at[0].copy.end < call->start)
			blame_cluster(live, &r->ended.at[0].copy);
		lp_live_blame_call(live, call);
		lp_live_wrong(live, "a value that was never written, or was overwritten long ago, is read", 0);
		return;
	}
	/* It was there before. */
	c->is_before = true;
	c->end = r->until;
	const struct peak *other = peaks_other(&r->started, c->uid);
	if (other && other->copy.end < c->start && other->start > c->end)
		blame_conflict(live, c, &other->copy);
	peaks_note(&r->started, c, c->start);
}

static void end(struct lp_live *live, const struct lp_live_call *call, uint64_t handle)
{
	struct cell *r = live->self;

	if (!handle)
		return;
	struct cluster *c = cluster_at(r, (uint32_t)handle - 1);
	c->users--;
	if (call->end > c->last_end)
		c->last_end = call->end;
	if (call->method == r->write && call->start > r->until && call->end < r->old_until)
		r->old_until = call->end;
	if (!c->is_unclear) {
		if (!c->has_write && !c->is_before)
			end_unknown(live, call, c);
		if (c->end == LP_LIVE_NEVER) {
			c->end = call->end;
			c->end_call = *call;
			peaks_note(&r->started, c, c->start);
		}
		peaks_note(&r->ended, c, call->start);
	}
	sweep(r);
}

static void forget(struct lp_live *live, bool unknown, uint64_t until)
{
	struct cell *r = live->self;
	uint32_t i;

	lp_table_clear(&r->clusters);
	r->unknown = unknown;
	r->until = until;
	r->old_until = unknown ? LP_LIVE_NEVER : 0;
	r->sweep = 0;
	r->started = r->ended = (struct peaks){ 0 };
	if (unknown)
		return;
	struct cluster *c = cluster_for(live, r->init, &i);
	if (c) {
		c->is_before = true;
		c->end = 0;
	}
}

static bool is_beyond(const struct lp_live *live, const struct lp_live_call *call)
{
	const struct cell *r = live->self;
	return call->method == r->swap || (call->method == r->cas && call->result);
}

static bool open_register(struct lp_live *live)
{
	struct cell *r = lp_try_alloc_zero(1, sizeof *r);
	const struct lp_kind *kind = live->spec->kind;

	live->self = r;
	if (!r)
		return false;
	r->read = lp_kind_method(kind, LP_VERB_READ);
	r->write = lp_kind_method(kind, LP_VERB_WRITE);
	r->cas = lp_kind_method(kind, LP_VERB_CAS);
	r->swap = lp_kind_method(kind, LP_VERB_SWAP);
	r->init = live->spec->param[lp_spec_param(live->spec, "init")];
	return lp_table_open(&r->clusters, sizeof(struct cluster), live->most);
}

static void close_register(struct lp_live *live)
{
	struct cell *r = live->self;

	if (!r)
		return;
	lp_table_close(&r->clusters);
	lp_free(r);
}

static uint64_t bytes(const struct lp_live *live)
{
	const struct cell *r = live->self;
	return sizeof *r + lp_table_bytes(&r->clusters);
}

const struct lp_live_kind lp_live_register = {
	.open = open_register,
	.close = close_register,
	.forget = forget,
	.start = start,
	.end = end,
	.is_beyond = is_beyond,
	.bytes = bytes,
};
