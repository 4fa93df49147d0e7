/* groups.c -- transactions by key, and by thread. */
#include "check/txn/groups.h"

#include "base/alloc.h"
#include "check/txn/facts.h"
#include "history/history.h"

static bool is_loose(const struct lp_txn_facts *f, uint32_t txn, const struct lp_txn_op *op)
{
	if (op->action == LP_TXN_READ || !f->committed[txn])
		return false;
	return op->action == LP_TXN_WRITE || lp_txn_made(f, op)->pos == LP_TXN_NONE;
}

struct lp_txn_writer *lp_txn_loose_writers(const struct lp_txn_facts *f, uint32_t *count)
{
	const struct lp_txns *t = f->t;
	uint32_t *from = lp_alloc_zero((size_t)t->keys.count + 2, sizeof *from); /* by key, where the next one goes */
	uint64_t *last = lp_alloc_zero((size_t)t->keys.count + 1, sizeof *last);
	struct lp_txn_writer *writers = NULL;

	for (uint32_t pass = 0; pass < 2; pass++) { /* count them, then put them down */
		for (uint32_t id = 0; id < t->count; id++)
			for (uint32_t i = 0; i < t->at[id].count; i++) {
				const struct lp_txn_op *op = &t->ops.at[t->at[id].first + i];
				const uint64_t mark = (uint64_t)id + 1 + (uint64_t)pass * t->count;
				if (!is_loose(f, id, op) || last[op->key] == mark)
					continue;
				last[op->key] = mark;
				if (pass)
					writers[from[op->key + 1]++] = (struct lp_txn_writer){ op->key, id };
				else
					from[op->key + 2]++;
			}
		for (uint32_t key = 0; !pass && key < t->keys.count; key++)
			from[key + 2] += from[key + 1];
		if (!pass)
			writers = lp_alloc(sizeof *writers * ((size_t)from[t->keys.count + 1] + 1));
	}
	*count = from[t->keys.count];
	lp_free(from);
	lp_free(last);
	return writers;
}

struct lp_keyed *lp_txn_by_thread(const struct lp_history *h)
{
	struct lp_keyed *at = lp_alloc(sizeof *at * ((size_t)h->count + 1));

	for (uint32_t i = 0; i < h->count; i++)
		at[i] = (struct lp_keyed){ lp_sort_key(h->at[i].start), i };
	lp_sort_keyed(at, h->count);
	for (uint32_t i = 0; i < h->count; i++)
		at[i].key = h->at[at[i].id].thread;
	lp_sort_keyed(at, h->count); /* this sort is stable */
	return at;
}
