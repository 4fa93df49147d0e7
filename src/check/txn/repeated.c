/* repeated.c -- finds out which of several equal writes was read.
 *
 * Each of the equal writes gets a new value of its own, and each read of the old value is assigned one of the new values.
 * The history is correct iff it is correct for one such assignment.  Assignments are tried one after the other, beginning
 * with the writes that are nearest to the reads in time.  If the history is correct, the first assignment is mostly correct.
 *
 * All reads of the same value of a key by one transaction are assigned to the same write.  Under snapshot isolation
 * and stronger levels this is necessary; under weaker levels it only removes edges.  It is wrong to read a write that was
 * aborted, or that its own transaction overwrote.  So such a write is a candidate only if there is no other.
 */
#include "check/txn/repeated.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "check/txn/settle.h"
#include "history/history.h"
#include "history/txns.h"

#define MOST_TRIALS 100000
#define MOST_CANDIDATES 64u
#define OWN_VALUES (LP_MAX_TIME + 1) /* beyond all numbers that can be read */
#define SECONDS 60.0

struct write {
	int64_t value;
	uint32_t key, txn, op;
};

struct candidate {
	int64_t value; /* the new one */
	uint64_t distance;
};

struct reads { /* of one transaction, key and value */
	uint32_t txn, key;
	int64_t value;
	uint32_t first, count, chosen; /* candidates */
};

struct repeated {
	const struct lp_history *h;
	int64_t initial;
	struct lp_history copy;
	struct lp_txns txns;     /* of the copy: only its operations are its own */
	struct {
		LP_VEC(struct write);
	} writes;                /* of registers, sorted by key and value */
	struct {
		LP_VEC(struct reads);
	} reads;
	uint32_t *groups;        /* by transaction: the first of its groups of reads */
	struct {
		LP_VEC(struct candidate);
	} candidates;
	bool is_partial;         /* some of them were left out */
};

static int compare_writes(const void *a, const void *b)
{
	const struct write *p = a, *q = b;

	if (p->key != q->key)
		return p->key < q->key ? -1 : 1;
	if (p->value != q->value)
		return p->value < q->value ? -1 : 1;
	return p->op < q->op ? -1 : p->op > q->op;
}

static void take_writes(struct repeated *r)
{
	const struct lp_txns *t = r->h->txns;

	for (uint32_t id = 0; id < t->count; id++)
		for (uint32_t i = 0; i < t->at[id].count; i++) {
			const struct lp_txn_op *op = &t->ops.at[t->at[id].first + i];
			if (op->action == LP_TXN_WRITE)
				LP_PUSH(&r->writes, (struct write){ op->value, op->key, id, t->at[id].first + i });
		}
	if (r->writes.count)
		qsort(r->writes.at, r->writes.count, sizeof *r->writes.at, compare_writes);
}

/* The first write of a value into a key that is operation `op`, or comes after it. */
static uint32_t find_write(const struct repeated *r, uint32_t key, int64_t value, uint32_t op)
{
	const struct write wanted = { .key = key, .value = value, .op = op };
	uint32_t low = 0, high = r->writes.count;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (compare_writes(&r->writes.at[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int64_t own_value(uint32_t op)
{
	return OWN_VALUES + op;
}

/* All writes get values of their own. */
static void rename_writes(struct repeated *r)
{
	for (uint32_t i = 0; i < r->writes.count; i++)
		r->txns.ops.at[r->writes.at[i].op].value = own_value(r->writes.at[i].op);
}

static bool is_overwritten(const struct lp_txns *t, const struct write *w)
{
	const uint32_t end = t->at[w->txn].first + t->at[w->txn].count;

	for (uint32_t op = w->op + 1; op < end; op++)
		if (t->ops.at[op].action == LP_TXN_WRITE && t->ops.at[op].key == w->key)
			return true;
	return false;
}

/* How far a write is from a transaction in time; those that began too late are farthest. */
static uint64_t distance(const struct lp_history *h, uint32_t writer, uint32_t reader)
{
	const struct lp_call *w = &h->at[writer], *r = &h->at[reader];
	const int64_t end = lp_call_is_pending(w) ? w->start : w->end;

	if (w->start > r->end)
		return UINT64_MAX;
	return end > r->end ? (uint64_t)(end - r->end) : (uint64_t)(r->end - end);
}

static void add_candidate(struct repeated *r, struct reads *group, struct candidate new)
{
	uint32_t i = r->candidates.count;

	LP_PUSH(&r->candidates, new);
	for (; i > group->first && r->candidates.at[i - 1].distance > new.distance; i--)
		r->candidates.at[i] = r->candidates.at[i - 1];
	r->candidates.at[i] = new;
	group->count++;
}

/* Of very many writes only those that are near: they are in the order in which they were begun, mostly. */
static void narrow(struct repeated *r, const struct reads *group, uint32_t *first, uint32_t *count)
{
	if (*count <= MOST_CANDIDATES)
		return;
	r->is_partial = true;
	const uint32_t before = find_write(r, group->key, group->value, r->h->txns->at[group->txn].first) - *first;
	uint32_t skipped = before > MOST_CANDIDATES / 2 ? before - MOST_CANDIDATES / 2 : 0;
	if (skipped > *count - MOST_CANDIDATES)
		skipped = *count - MOST_CANDIDATES;
	*first += skipped;
	*count = MOST_CANDIDATES;
}

/* The writes that the reads may be of, the nearest first. */
static void take_candidates(struct repeated *r, struct reads *group)
{
	const struct lp_txns *t = r->h->txns;
	uint32_t first = find_write(r, group->key, group->value, 0);
	uint32_t count = find_write(r, group->key, group->value, UINT32_MAX) - first;

	narrow(r, group, &first, &count);
	group->first = r->candidates.count;
	for (int bad = 0; bad < 2 && !group->count; bad++) {
		if (!bad && group->value == r->initial)
			add_candidate(r, group, (struct candidate){ r->initial, UINT64_MAX - 1 });
		for (uint32_t i = first; i < first + count; i++) {
			const struct write *w = &r->writes.at[i];
			if (w->txn != group->txn && bad == (t->at[w->txn].outcome == LP_TXN_ABORTED || is_overwritten(t, w)))
				add_candidate(r, group, (struct candidate){ own_value(w->op), distance(r->h, w->txn, group->txn) });
		}
	}
}

/* The group of a read, which may be new. */
static struct reads *group_of(struct repeated *r, uint32_t txn, const struct lp_txn_op *op)
{
	for (uint32_t i = r->groups[txn]; i < r->reads.count && r->reads.at[i].txn == txn; i++)
		if (r->reads.at[i].key == op->key && r->reads.at[i].value == op->value)
			return &r->reads.at[i];
	LP_PUSH(&r->reads, (struct reads){ .txn = txn, .key = op->key, .value = op->value });
	take_candidates(r, &LP_LAST(&r->reads));
	return &LP_LAST(&r->reads);
}

/* Gives the reads of a transaction their new values; groups them first, if they are new. */
static void rename_reads(struct repeated *r, uint32_t txn)
{
	const struct lp_txns *t = r->h->txns;
	const uint32_t first = t->at[txn].first;

	for (uint32_t i = first; i < first + t->at[txn].count && t->at[txn].outcome == LP_TXN_COMMITTED; i++) {
		const struct lp_txn_op *op = &t->ops.at[i];
		uint32_t own = i;
		if (op->action != LP_TXN_READ || !op->is_known || op->is_list)
			continue;
		while (own > first && !(t->ops.at[own - 1].key == op->key && t->ops.at[own - 1].action == LP_TXN_WRITE))
			own--;
		if (own > first) { /* what it wrote itself */
			if (t->ops.at[own - 1].value == op->value)
				r->txns.ops.at[i].value = own_value(own - 1);
			continue;
		}
		const struct reads *group = group_of(r, txn, op);
		if (group->count)
			r->txns.ops.at[i].value = r->candidates.at[group->first + group->chosen].value;
	}
}

/* The next way to choose; false if that was the last. */
static bool choose_next(struct repeated *r)
{
	for (uint32_t i = 0; i < r->reads.count; i++) {
		struct reads *group = &r->reads.at[i];
		const bool more = group->chosen + 1 < group->count;
		if (group->count < 2)
			continue;
		group->chosen = more ? group->chosen + 1 : 0;
		rename_reads(r, group->txn);
		if (more)
			return true;
	}
	return false;
}

static void open_repeated(struct repeated *r, const struct lp_history *h, int64_t initial)
{
	*r = (struct repeated){ .h = h, .initial = initial, .copy = *h, .txns = *h->txns };
	r->copy.txns = &r->txns;
	r->txns.ops.at = lp_alloc(sizeof *r->txns.ops.at * ((size_t)h->txns->ops.count + 1));
	for (uint32_t i = 0; i < h->txns->ops.count; i++)
		r->txns.ops.at[i] = h->txns->ops.at[i];
	take_writes(r);
	rename_writes(r);
	r->groups = lp_alloc(sizeof *r->groups * ((size_t)h->txns->count + 1));
	for (uint32_t id = 0; id < h->txns->count; id++) {
		r->groups[id] = r->reads.count;
		rename_reads(r, id);
	}
}

static void close_repeated(struct repeated *r)
{
	lp_free(r->txns.ops.at);
	lp_free(r->writes.at);
	lp_free(r->groups);
	lp_free(r->reads.at);
	lp_free(r->candidates.at);
}

/* Is there a way that is correct? */
static enum lp_finding try_all(struct repeated *r, const struct lp_txn_options *options, lp_txn_check_plain *plain,
			       uint64_t *steps)
{
	const double until = lp_txn_clock() + (options->seconds > 0 ? options->seconds : SECONDS);
	struct lp_txn_options quick = *options;
	enum lp_finding all = LP_WRONG;
	uint32_t trials = 0;

	quick.explain = false;
	do {
		struct lp_txn_result one = { 0 };
		quick.seconds = until - lp_txn_clock();
		if (trials++ == MOST_TRIALS || quick.seconds <= 0)
			return LP_UNDECIDED;
		plain(&r->copy, &quick, &one);
		const enum lp_finding finding = one.finding;
		*steps += one.steps;
		lp_txn_result_close(&one);
		if (finding == LP_CORRECT)
			return LP_CORRECT;
		all = finding == LP_UNDECIDED ? LP_UNDECIDED : all;
	} while (choose_next(r));
	return r->is_partial ? LP_UNDECIDED : all;
}

void lp_txn_check_repeated(const struct lp_history *h, const struct lp_txn_options *options, lp_txn_check_plain *plain,
			   struct lp_txn_result *result)
{
	struct repeated r;
	uint64_t steps = 0;

	open_repeated(&r, h, options->initial);
	const enum lp_finding finding = try_all(&r, options, plain, &steps);
	if (finding == LP_WRONG) { /* all were tried, and these are the nearest ones again */
		lp_txn_result_close(result);
		plain(&r.copy, options, result);
	} else if (finding == LP_CORRECT) {
		result->finding = LP_CORRECT;
		result->reason[0] = '\0';
	}
	result->steps = steps;
	snprintf(result->method, sizeof result->method, "search for which of equal writes was read");
	close_repeated(&r);
}
