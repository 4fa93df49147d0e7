/* txn_words.c -- describes in words what an edge between two transactions means. */
#include "check/txn/txn.h"

#include "history/history.h"
#include "history/txns.h"

/* The first or the last operation on the key that reads, or that writes; NULL if it is not known. */
static const struct lp_txn_op *find_op(const struct lp_history *h, uint32_t txn, uint32_t key, bool reads, bool last)
{
	const struct lp_txn *t = &h->txns->at[txn];
	const struct lp_txn_op *found = NULL;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct lp_txn_op *op = &h->txns->ops.at[t->first + i];
		if (op->key == key && (op->action == LP_TXN_READ) == reads && (!reads || op->is_known) && (last || !found))
			found = op;
	}
	return found;
}

static void put_op(const struct lp_history *h, const struct lp_txn_op *op, FILE *to)
{
	if (op)
		lp_txns_print_op(h, op, to);
	else
		fputs("an operation that is not known", to);
}

const char *lp_txn_edge_describe(const struct lp_history *h, const struct lp_txn_edge *e, char *text, size_t size)
{
	const uint32_t key = e->what >> 3;
	const enum lp_txn_edge_kind kind = lp_txn_kind(e->what);
	FILE *to = fmemopen(text, size, "w");

	text[0] = '\0';
	if (!to)
		return text;
	switch (kind) {
	case LP_TXN_WW:
		put_op(h, find_op(h, e->from, key, false, true), to);
		fputs(" comes before ", to);
		put_op(h, find_op(h, e->to, key, false, false), to);
		break;
	case LP_TXN_WR:
		put_op(h, find_op(h, e->to, key, true, false), to);
		fputs(" has seen ", to);
		put_op(h, find_op(h, e->from, key, false, true), to);
		break;
	case LP_TXN_RW:
		put_op(h, find_op(h, e->from, key, true, false), to);
		fputs(" has not seen ", to);
		put_op(h, find_op(h, e->to, key, false, false), to);
		break;
	case LP_TXN_SO: fputs("is the one before it in its thread", to); break;
	case LP_TXN_RT: fputs("had ended when it started", to); break;
	case LP_TXN_VIA:
	case LP_TXN_KINDS: break;
	}
	fclose(to);
	text[size - 1] = '\0';
	return text;
}
