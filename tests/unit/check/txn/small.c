/* small.c -- small random histories: a database with several disciplines of concurrency, none of them strict. */
#include "small.h"

#include <string.h>

#include "base/alloc.h"

uint32_t small_below(struct small_random *r, uint32_t n)
{
	r->state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = r->state;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((x ^ x >> 31) >> 32) % n;
}

/* What a key holds: a list, or, as its last element, the value of a register. */
struct cell {
	int count;
	int64_t at[MOST_ELEMENTS];
};

struct database {
	struct cell committed[MOST_KEYS], dirty[MOST_KEYS];
	struct cell own[MOST_TXNS][MOST_KEYS]; /* the snapshot of a transaction, with what it wrote */
};

enum discipline { SERIAL, SNAPSHOTS, COMMITTED_READS, DIRTY_READS, DISCIPLINES };

static void append(struct cell *c, int64_t value)
{
	if (c->count < MOST_ELEMENTS)
		c->at[c->count++] = value;
}

static void take_read(const struct small *s, struct small_op *op, const struct cell *c)
{
	op->value = c->count ? c->at[c->count - 1] : 0;
	op->length = s->is_list[op->key] ? c->count : 0;
	memcpy(op->list, c->at, sizeof op->list);
}

static void run_op(const struct small *s, struct database *d, enum discipline how, int txn, struct small_op *op)
{
	struct cell *own = &d->own[txn][op->key];

	if (how == DIRTY_READS)
		own = &d->dirty[op->key];
	if (op->action != LP_TXN_READ) {
		append(own, op->value);
		return;
	}
	if (how == COMMITTED_READS) { /* what is committed by now, and what it wrote itself */
		struct cell now = d->committed[op->key];
		const struct small_txn *t = &s->at[txn];
		for (const struct small_op *before = t->ops; before < op; before++)
			if (before->key == op->key && before->action != LP_TXN_READ)
				append(&now, before->value);
		take_read(s, op, &now);
		return;
	}
	take_read(s, op, own);
}

static void commit(const struct small *s, struct database *d, int txn)
{
	const struct small_txn *t = &s->at[txn];

	for (int i = 0; i < t->count && t->outcome != LP_TXN_ABORTED; i++)
		if (t->ops[i].action != LP_TXN_READ)
			append(&d->committed[t->ops[i].key], t->ops[i].value);
}

/* Starts, operations and commits, one after the other in a random order. */
static void run(struct small *s, struct small_random *r, enum discipline how)
{
	struct database d = { 0 };
	int next[MOST_TXNS] = { 0 }, now = 0, running = -1;

	for (int left = s->count; left;) {
		const int txn = running >= 0 && (how == SERIAL || small_below(r, 2)) ? running :
										     (int)small_below(r, (uint32_t)s->count);
		struct small_txn *t = &s->at[txn];
		if (next[txn] > t->count + 1)
			continue;
		running = txn;
		if (!next[txn]) {
			memcpy(d.own[txn], d.committed, sizeof d.committed);
			t->start = now;
		} else if (next[txn] <= t->count) {
			run_op(s, &d, how, txn, &t->ops[next[txn] - 1]);
		} else {
			commit(s, &d, txn);
			t->end = now;
			running = -1;
			left--;
		}
		next[txn]++;
		now += (int)small_below(r, 3);
	}
}

static void invent(struct small *s, struct small_random *r, bool distinct, int most_txns)
{
	const int keys = 1 + (int)small_below(r, MOST_KEYS), threads = 1 + (int)small_below(r, 4);
	int64_t value = 0;

	s->count = 2 + (int)small_below(r, (uint32_t)most_txns - 1);
	for (int i = 0; i < s->count; i++) {
		struct small_txn *t = &s->at[i];
		t->thread = (int)small_below(r, (uint32_t)threads);
		t->outcome = small_below(r, 6) ? LP_TXN_COMMITTED : small_below(r, 2) ? LP_TXN_ABORTED : LP_TXN_UNKNOWN;
		t->count = 1 + (int)small_below(r, small_below(r, 2) ? 2 : MOST_OPS - 1);
		for (int o = 0; o < t->count; o++) {
			t->ops[o].key = (int)small_below(r, (uint32_t)keys);
			t->ops[o].action = small_below(r, 5) < 2 ? (s->is_list[t->ops[o].key] ? LP_TXN_APPEND : LP_TXN_WRITE) : LP_TXN_READ;
			t->ops[o].value = s->is_list[t->ops[o].key] || distinct ? ++value : (int64_t)small_below(r, 4);
		}
	}
}

/* Intervals grow: what has ended may be told late, and what starts may have been asked for long before. */
static void blur(struct small *s, struct small_random *r)
{
	for (int i = 0; i < s->count; i++) {
		s->at[i].start -= (int)small_below(r, 4);
		s->at[i].end += (int)small_below(r, 4);
	}
}

static void spoil(struct small *s, struct small_random *r)
{
	struct small_txn *t = &s->at[small_below(r, (uint32_t)s->count)];
	struct small_op *op = &t->ops[small_below(r, (uint32_t)t->count)];

	switch (small_below(r, 9)) {
	case 0: t->outcome = LP_TXN_ABORTED; break;
	case 1: t->outcome = LP_TXN_UNKNOWN; break;
	case 2: t->outcome = LP_TXN_COMMITTED; break;
	case 3: /* another value, or fewer elements */
		if (op->action == LP_TXN_READ && op->length)
			op->length--;
		if (op->action == LP_TXN_READ)
			op->value = (int64_t)small_below(r, 4);
		break;
	case 4: /* two elements change places */
		if (op->length > 1) {
			const int i = (int)small_below(r, (uint32_t)op->length - 1);
			const int64_t other = op->list[i];
			op->list[i] = op->list[i + 1];
			op->list[i + 1] = other;
		}
		break;
	case 5: /* an element more, perhaps none that was ever written */
		if (op->action == LP_TXN_READ && s->is_list[op->key] && op->length < MOST_ELEMENTS)
			op->list[op->length++] = 1 + (int64_t)small_below(r, 8);
		break;
	case 6: /* an element less, in the middle */
		if (op->length > 1) {
			const int i = (int)small_below(r, (uint32_t)op->length);
			memmove(op->list + i, op->list + i + 1, sizeof *op->list * (size_t)(op->length - i - 1));
			op->length--;
		}
		break;
	case 7: /* what it appends only later is there already */
		for (int o = 0; o < t->count; o++)
			if (op->action == LP_TXN_READ && s->is_list[op->key] && t->ops[o].action == LP_TXN_APPEND &&
			    t->ops[o].key == op->key && op->length < MOST_ELEMENTS) {
				memmove(op->list + 1, op->list, sizeof *op->list * (size_t)op->length++);
				op->list[0] = t->ops[o].value;
			}
		break;
	case 8:
		t->start = (int)small_below(r, 12);
		t->end = t->start + (int)small_below(r, 5);
		break;
	}
}

/* Reads of anything that was written, without a database: many ways to put them in order, most of which fail late. */
static void guess(struct small *s, struct small_random *r)
{
	for (int i = 0; i < s->count; i++) {
		struct small_txn *t = &s->at[i];
		t->start = (int)small_below(r, 6);
		t->end = t->start + 4 + (int)small_below(r, 6);
		t->outcome = small_below(r, 16) ? LP_TXN_COMMITTED : LP_TXN_UNKNOWN;
		for (int o = 0; o < t->count; o++) {
			const struct small_txn *from = &s->at[small_below(r, (uint32_t)s->count)];
			const struct small_op *op = &from->ops[small_below(r, (uint32_t)from->count)];
			if (t->ops[o].action != LP_TXN_READ)
				continue;
			t->ops[o].value = 0;
			if (op->action != LP_TXN_READ && from != t) {
				t->ops[o].key = op->key;
				t->ops[o].value = op->value;
			}
		}
	}
}

void small_generate(struct small *s, struct small_random *r, enum small_keys keys, bool distinct, int most_txns)
{
	*s = (struct small){ .count = 0 };
	for (int key = 0; key < MOST_KEYS; key++)
		s->is_list[key] = keys == SMALL_LISTS || (keys == SMALL_MIXED && small_below(r, 2));
	invent(s, r, distinct, most_txns);
	if (keys == SMALL_REGISTERS && small_below(r, 3) == 0) {
		guess(s, r);
		return;
	}
	run(s, r, (enum discipline)small_below(r, DISCIPLINES));
	if (small_below(r, 2))
		blur(s, r);
	for (uint32_t i = small_below(r, 3); i > 0; i--)
		spoil(s, r);
}

void small_convert(const struct small *s, struct lp_history *h)
{
	*h = (struct lp_history){ .has_times = true, .txns = lp_alloc_zero(1, sizeof *h->txns) };
	for (int i = 0; i < s->count; i++) {
		const struct small_txn *t = &s->at[i];
		const bool unknown = t->outcome == LP_TXN_UNKNOWN;
		LP_PUSH(h, (struct lp_call){ .start = t->start, .end = unknown ? LP_PENDING : t->end,
					     .thread = (uint32_t)t->thread, .line = (uint32_t)i + 1,
					     .method = lp_history_method(h, "txn", 3),
					     .results = unknown ? LP_RESULT_UNKNOWN : 0 });
		for (int o = 0; o < t->count; o++) {
			const struct small_op *from = &t->ops[o];
			struct lp_txn_op op = { .action = (uint8_t)from->action, .value = from->value, .is_known = true,
						.key = lp_txns_key(h->txns, from->key) };
			if (from->action == LP_TXN_READ && s->is_list[from->key]) {
				op.is_list = true;
				op.length = (uint32_t)from->length;
				op.value = h->txns->elements.count;
				for (int e = 0; e < from->length; e++)
					LP_PUSH(&h->txns->elements, from->list[e]);
			}
			LP_PUSH(&h->txns->draft, op);
		}
		lp_txns_set(h->txns, (uint32_t)i, t->outcome);
	}
}
