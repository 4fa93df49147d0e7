/* brute.c -- levels of isolation, decided by trying everything that their definitions allow.
 *
 * Transactions whose outcome is unknown committed or not: all subsets.  Then
 *
 *   serializable        all orders, in which each transaction is run at once on the values of its keys;
 *   snapshot isolation  all orders of starts and commits: a transaction reads the values at its start (and its own),
 *                       and commits only if no other has committed a write of a key that it writes since its start;
 *   read committed      all version orders of all keys: a list's version is the one before it and what was appended, reads
 *                       are of versions that were committed, and ww and wr together have no cycle;
 *   read uncommitted    all orders of the elements of each list, with those that were aborted: reads are beginnings of it,
 *                       and ww has no cycle.
 *
 * Nothing is shared with the checker but the history.
 */
#include "small.h"

#include <string.h>

#include "check/txn/level.h"

struct state {
	int count;
	int64_t at[MOST_ELEMENTS];
};

struct brute {
	const struct small *s;
	const struct lp_txn_level *level;
	bool in[MOST_TXNS];               /* committed */
	bool before[MOST_TXNS][MOST_TXNS]; /* demanded by time or thread */
	/* Of snapshots: */
	int started[MOST_TXNS], written[MOST_KEYS], now;
	/* Of version orders: */
	bool edge[MOST_TXNS][MOST_TXNS];
};

static bool is_write(const struct small_op *op)
{
	return op->action != LP_TXN_READ;
}

static bool same_read(const struct small *s, const struct small_op *op, const struct state *x)
{
	if (!s->is_list[op->key])
		return op->value == (x->count ? x->at[x->count - 1] : 0);
	return op->length == x->count && !memcmp(op->list, x->at, sizeof *x->at * (size_t)x->count);
}

static void put(const struct small *s, struct state *x, const struct small_op *op)
{
	if (!s->is_list[op->key])
		x[op->key].count = 0;
	x[op->key].at[x[op->key].count++] = op->value;
}

/* Runs it on the state; false if a read gives something else. */
static bool run_txn(const struct brute *b, int txn, struct state *x)
{
	const struct small_txn *t = &b->s->at[txn];

	for (int i = 0; i < t->count; i++) {
		if (is_write(&t->ops[i]))
			put(b->s, x, &t->ops[i]);
		else if (t->outcome == LP_TXN_COMMITTED && !same_read(b->s, &t->ops[i], &x[t->ops[i].key]))
			return false;
	}
	return true;
}

static bool may_be_next(const struct brute *b, int txn, const bool *done)
{
	for (int other = 0; other < b->s->count; other++)
		if (b->in[other] && !done[other] && b->before[other][txn])
			return false;
	return true;
}

static bool is_serial(const struct brute *b, bool *done, int left, const struct state *x)
{
	if (!left)
		return true;
	for (int txn = 0; txn < b->s->count; txn++) {
		struct state next[MOST_KEYS];
		if (!b->in[txn] || done[txn] || !may_be_next(b, txn, done))
			continue;
		memcpy(next, x, sizeof next);
		if (!run_txn(b, txn, next))
			continue;
		done[txn] = true;
		const bool found = is_serial(b, done, left - 1, next);
		done[txn] = false;
		if (found)
			return true;
	}
	return false;
}

static bool may_commit(const struct brute *b, int txn)
{
	const struct small_txn *t = &b->s->at[txn];

	for (int i = 0; i < t->count; i++)
		if (is_write(&t->ops[i]) && b->written[t->ops[i].key] > b->started[txn])
			return false;
	return true;
}

/* phase: 0 not started, 1 started, 2 committed */
static bool has_snapshots(struct brute *b, int *phase, bool *done, int left, const struct state *x)
{
	if (!left)
		return true;
	for (int txn = 0; txn < b->s->count; txn++) {
		struct state next[MOST_KEYS];
		int written[MOST_KEYS];
		if (!b->in[txn] || phase[txn] == 2)
			continue;
		memcpy(next, x, sizeof next);
		memcpy(written, b->written, sizeof written);
		if (!phase[txn] ? !may_be_next(b, txn, done) || !run_txn(b, txn, next) : !may_commit(b, txn))
			continue;
		b->now++;
		if (!phase[txn]) {
			b->started[txn] = b->now;
			memcpy(next, x, sizeof next);
		} else {
			for (int i = 0; i < b->s->at[txn].count; i++)
				if (is_write(&b->s->at[txn].ops[i])) {
					put(b->s, next, &b->s->at[txn].ops[i]);
					b->written[b->s->at[txn].ops[i].key] = b->now;
				}
			done[txn] = true;
		}
		phase[txn]++;
		const bool found = has_snapshots(b, phase, done, left - 1, next);
		phase[txn]--;
		done[txn] = false;
		memcpy(b->written, written, sizeof written);
		b->now--;
		if (found)
			return true;
	}
	return false;
}

static bool reaches(const struct brute *b, int from, int to, bool *seen)
{
	for (int next = 0; next < b->s->count; next++)
		if (b->edge[from][next] && !seen[next]) {
			seen[next] = true;
			if (next == to || reaches(b, next, to, seen))
				return true;
		}
	return false;
}

static bool is_acyclic(const struct brute *b)
{
	for (int txn = 0; txn < b->s->count; txn++) {
		bool seen[MOST_TXNS] = { false };
		if (reaches(b, txn, txn, seen))
			return false;
	}
	return true;
}

static bool writes(const struct small_txn *t, int key)
{
	for (int i = 0; i < t->count; i++)
		if (t->ops[i].key == key && is_write(&t->ops[i]))
			return true;
	return false;
}

static bool orders_versions(struct brute *b, int key);

/* Whom each read is of: registers, where several may have written the same value.  `txn` and `op` go through all reads of
 * the key. */
static bool reads_registers(struct brute *b, int key, int txn, int i)
{
	const struct small *s = b->s;

	while (txn < s->count && (!b->in[txn] || i == s->at[txn].count || s->at[txn].outcome != LP_TXN_COMMITTED)) {
		txn++;
		i = 0;
	}
	if (txn == s->count)
		return is_acyclic(b) && orders_versions(b, key + 1);
	const struct small_op *op = &s->at[txn].ops[i];
	if (op->key != key || is_write(op))
		return reads_registers(b, key, txn, i + 1);
	for (int o = i; o-- > 0;)
		if (s->at[txn].ops[o].key == key && is_write(&s->at[txn].ops[o]))
			return s->at[txn].ops[o].value == op->value && reads_registers(b, key, txn, i + 1);
	if (!op->value && reads_registers(b, key, txn, i + 1))
		return true;
	for (int w = 0; w < s->count; w++) {
		int64_t last = 0;
		for (int o = 0; o < s->at[w].count; o++)
			if (s->at[w].ops[o].key == key && is_write(&s->at[w].ops[o]))
				last = s->at[w].ops[o].value;
		if (w == txn || !b->in[w] || !writes(&s->at[w], key) || last != op->value)
			continue;
		const bool was = b->edge[w][txn];
		b->edge[w][txn] = true;
		const bool found = reads_registers(b, key, txn, i + 1);
		b->edge[w][txn] = was;
		if (found)
			return true;
	}
	return false;
}

/* The value of a list after the first `versions` of the order. */
static void version_at(const struct small *s, int key, const int *order, int versions, struct state *x)
{
	x->count = 0;
	for (int v = 0; v < versions; v++)
		for (int i = 0; i < s->at[order[v]].count; i++)
			if (s->at[order[v]].ops[i].key == key && is_write(&s->at[order[v]].ops[i]))
				x->at[x->count++] = s->at[order[v]].ops[i].value;
}

/* Each read of the list is of a version; adds wr. */
static bool reads_lists(struct brute *b, int key, const int *order, int count)
{
	const struct small *s = b->s;

	for (int txn = 0; txn < s->count; txn++) {
		const struct small_txn *t = &s->at[txn];
		int own = 0, place = 0;
		while (place < count && order[place] != txn)
			place++;
		for (int i = 0; i < t->count && b->in[txn] && t->outcome == LP_TXN_COMMITTED; i++) {
			bool found = false;
			struct state x;
			if (t->ops[i].key != key)
				continue;
			if (is_write(&t->ops[i])) {
				own++;
				continue;
			}
			for (int v = 0; v <= count && !found; v++) {
				version_at(s, key, order, own ? place : v, &x);
				for (int o = 0, rest = own; rest; o++)
					if (t->ops[o].key == key && is_write(&t->ops[o])) {
						x.at[x.count++] = t->ops[o].value;
						rest--;
					}
				found = same_read(s, &t->ops[i], &x) && (own || !v || order[v - 1] != txn);
				if (found && !own && v)
					b->edge[order[v - 1]][txn] = true;
			}
			if (!found)
				return false;
		}
	}
	return true;
}

/* All orders of those that write the key. */
static bool permutes(struct brute *b, int key, int *order, int count, bool *used)
{
	bool more = false, found = false, saved[MOST_TXNS][MOST_TXNS];

	for (int txn = 0; txn < b->s->count && !found; txn++) {
		if (!b->in[txn] || used[txn] || !writes(&b->s->at[txn], key))
			continue;
		more = true;
		used[txn] = true;
		order[count] = txn;
		found = permutes(b, key, order, count + 1, used);
		used[txn] = false;
	}
	if (more)
		return found;
	memcpy(saved, b->edge, sizeof saved);
	for (int v = 1; v < count; v++)
		b->edge[order[v - 1]][order[v]] = true;
	if (!b->s->is_list[key])
		found = is_acyclic(b) && reads_registers(b, key, 0, 0);
	else
		found = reads_lists(b, key, order, count) && is_acyclic(b) && orders_versions(b, key + 1);
	memcpy(b->edge, saved, sizeof saved);
	return found;
}

static bool orders_elements(struct brute *b, int key);

static bool orders_versions(struct brute *b, int key)
{
	int order[MOST_TXNS];
	bool used[MOST_TXNS] = { false };

	return key == MOST_KEYS || permutes(b, key, order, 0, used);
}

/* Read uncommitted: an element of a list. */
struct element {
	int txn;
	int64_t value;
};

/* Is each read a beginning of the order, and does it end in what was appended before by the same transaction? */
static bool are_beginnings(const struct brute *b, int key, const struct element *order, int count)
{
	const struct small *s = b->s;

	for (int txn = 0; txn < s->count; txn++) {
		const struct small_txn *t = &s->at[txn];
		int own = 0;
		for (int i = 0; i < t->count && t->outcome == LP_TXN_COMMITTED; i++) {
			const struct small_op *op = &t->ops[i];
			if (op->key != key)
				continue;
			own += is_write(op);
			if (is_write(op))
				continue;
			if (op->length > count || op->length < own)
				return false;
			for (int e = 0; e < op->length; e++)
				if (op->list[e] != order[e].value || (order[e].txn == txn) != (e >= op->length - own))
					return false;
		}
	}
	return true;
}

static bool ends_here(struct brute *b, int key, const struct element *order, int count)
{
	bool saved[MOST_TXNS][MOST_TXNS];
	int before = -1;

	if (!are_beginnings(b, key, order, count))
		return false;
	memcpy(saved, b->edge, sizeof saved);
	for (int e = 0; e < count; e++) {
		if (!b->in[order[e].txn])
			continue;
		if (before >= 0 && before != order[e].txn)
			b->edge[before][order[e].txn] = true;
		before = order[e].txn;
	}
	const bool found = is_acyclic(b) && orders_elements(b, key + 1);
	memcpy(b->edge, saved, sizeof saved);
	return found;
}

/* next[txn]: which of its operations comes next.  Those that aborted may have stopped anywhere. */
static bool interleaves(struct brute *b, int key, struct element *order, int count, int *next)
{
	const struct small *s = b->s;
	bool is_whole = true;

	for (int txn = 0; txn < s->count; txn++) {
		int i = next[txn];
		while (i < s->at[txn].count && !(s->at[txn].ops[i].key == key && is_write(&s->at[txn].ops[i])))
			i++;
		if (i == s->at[txn].count)
			continue;
		is_whole &= !b->in[txn];
		const int was = next[txn];
		next[txn] = i + 1;
		order[count] = (struct element){ txn, s->at[txn].ops[i].value };
		/* As long as the longest read goes on, there is only one that fits. */
		bool fits = true;
		for (int r = 0; r < s->count; r++)
			for (int o = 0; o < s->at[r].count && s->at[r].outcome == LP_TXN_COMMITTED; o++) {
				const struct small_op *op = &s->at[r].ops[o];
				fits &= op->key != key || is_write(op) || op->length <= count || op->list[count] == order[count].value;
			}
		const bool found = fits && interleaves(b, key, order, count + 1, next);
		next[txn] = was;
		if (found)
			return true;
	}
	return is_whole && ends_here(b, key, order, count);
}

/* Values of registers were written by some transaction, and by the transaction itself if it has written. */
static bool were_written(const struct brute *b, int key)
{
	const struct small *s = b->s;

	for (int txn = 0; txn < s->count; txn++)
		for (int i = 0; i < s->at[txn].count && s->at[txn].outcome == LP_TXN_COMMITTED; i++) {
			const struct small_op *op = &s->at[txn].ops[i], *own = NULL;
			bool found = !op->value;
			if (is_write(op) || op->key != key)
				continue;
			for (int o = 0; o < i; o++)
				if (s->at[txn].ops[o].key == op->key && is_write(&s->at[txn].ops[o]))
					own = &s->at[txn].ops[o];
			for (int w = 0; w < s->count && !own; w++)
				for (int o = 0; o < s->at[w].count; o++)
					found |= w != txn && s->at[w].ops[o].key == op->key && is_write(&s->at[w].ops[o]) &&
						 s->at[w].ops[o].value == op->value;
			if (own ? own->value != op->value : !found)
				return false;
		}
	return true;
}

static bool orders_elements(struct brute *b, int key)
{
	struct element order[MOST_TXNS * MOST_OPS];
	int next[MOST_TXNS] = { 0 };

	if (key == MOST_KEYS)
		return true;
	if (!b->s->is_list[key])
		return were_written(b, key) && orders_elements(b, key + 1);
	return interleaves(b, key, order, 0, next);
}

static bool judge(struct brute *b)
{
	struct state x[MOST_KEYS] = { 0 };
	bool done[MOST_TXNS] = { false };
	int phase[MOST_TXNS] = { 0 }, count = 0;

	for (int txn = 0; txn < b->s->count; txn++)
		count += b->in[txn];
	memset(b->edge, 0, sizeof b->edge);
	switch (b->level->base) {
	case LP_TXN_SERIAL: return is_serial(b, done, count, x);
	case LP_TXN_SNAPSHOT: return has_snapshots(b, phase, done, 2 * count, x);
	case LP_TXN_READ_COMMITTED: return orders_versions(b, 0);
	case LP_TXN_READ_UNCOMMITTED: return orders_elements(b, 0);
	}
	return false;
}

static void demand(struct brute *b)
{
	for (int i = 0; i < b->s->count; i++)
		for (int j = 0; j < b->s->count; j++) {
			const struct small_txn *p = &b->s->at[i], *q = &b->s->at[j];
			if (i == j || p->outcome == LP_TXN_UNKNOWN)
				continue;
			b->before[i][j] = b->level->realtime && p->end < q->start;
			if (b->level->sessions && p->thread == q->thread &&
			    (p->start < q->start || (p->start == q->start && i < j)))
				b->before[i][j] = true;
		}
}

bool small_has(const struct small *s, const struct lp_txn_level *level)
{
	struct brute b = { .s = s, .level = level };

	demand(&b);
	for (unsigned chosen = 0; chosen < 1u << s->count; chosen++) {
		bool fits = true;
		for (int txn = 0; txn < s->count; txn++) {
			b.in[txn] = s->at[txn].outcome == LP_TXN_COMMITTED || chosen >> txn & 1;
			fits &= s->at[txn].outcome == LP_TXN_UNKNOWN || !(chosen >> txn & 1);
		}
		if (fits && judge(&b))
			return true;
	}
	return false;
}
