/* txns.c -- transactions: keys, the spines of lists, and printing. */
#include "history/txns.h"

#include "base/hash.h"
#include "history/history.h"

enum { SHOWN = 8, ENDS = 3 }; /* longer lists than SHOWN are printed as their first and
			       * last ENDS elements */

void lp_txns_close(struct lp_txns *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->keys.count; i++)
		lp_free(t->keys.at[i].at);
	lp_free(t->keys.at);
	lp_free(t->ops.at);
	lp_free(t->odd.at);
	lp_hash_close(&t->by_name);
	lp_free(t->draft.at);
	lp_free(t->elements.at);
	lp_free(t->at);
	lp_free(t);
}

uint32_t lp_txns_key(struct lp_txns *t, int64_t name)
{
	const uint64_t hash = lp_mix((uint64_t)name);
	struct lp_hash_probe probe = lp_hash_probe(&t->by_name, hash);
	uint32_t key;

	while ((key = lp_hash_next(&t->by_name, &probe)) != LP_HASH_NONE)
		if (t->keys.at[key].name == name)
			return key;
	lp_hash_add(&t->by_name, hash, t->keys.count);
	LP_PUSH(&t->keys, (struct lp_txn_key){ .name = name });
	return t->keys.count - 1;
}

/* Stores a list of the draft: on the spine of its key, or in `odd`. */
static void place_list(struct lp_txns *t, struct lp_txn_op *op)
{
	const int64_t *from = op->length ? t->elements.at + op->value : NULL;
	struct lp_txn_key *key = &t->keys.at[op->key];
	uint32_t same = 0;

	while (same < op->length && same < key->count && from[same] == key->at[same])
		same++;
	op->on_spine = same == op->length || same == key->count;
	if (op->on_spine) {
		for (; same < op->length; same++)
			LP_PUSH(key, from[same]);
		return;
	}
	op->value = t->odd.count;
	for (uint32_t i = 0; i < op->length; i++)
		LP_PUSH(&t->odd, from[i]);
}

void lp_txns_set(struct lp_txns *t, uint32_t id, enum lp_txn_outcome outcome)
{
	while (t->count <= id)
		LP_PUSH(t, (struct lp_txn){ .outcome = LP_TXN_UNKNOWN });
	struct lp_txn *txn = &t->at[id];
	if (txn->count < t->draft.count) { /* otherwise the operations replace those of
					    * the invocation */
		txn->first = t->ops.count;
		LP_RESERVE(&t->ops, t->draft.count);
		t->ops.count += t->draft.count;
	}
	txn->count = t->draft.count;
	txn->outcome = (uint8_t)outcome;
	for (uint32_t i = 0; i < txn->count; i++) {
		struct lp_txn_op op = t->draft.at[i];
		if (op.action == LP_TXN_READ && outcome != LP_TXN_COMMITTED)
			op.is_known = op.is_list = false;
		if (op.is_list)
			place_list(t, &op);
		t->ops.at[txn->first + i] = op;
	}
	t->draft.count = t->elements.count = 0;
}

static void put_value(const struct lp_history *h, int64_t value, FILE *to)
{
	char text[128];

	fputs(lp_call_describe_value(h, value, text, sizeof text), to);
}

void lp_txns_print_op(const struct lp_history *h, const struct lp_txn_op *op, FILE *to)
{
	static const char *const names[] = { "r ", "w ", "append " };
	const struct lp_txns *t = h->txns;

	fputs(names[op->action], to);
	put_value(h, t->keys.at[op->key].name, to);
	fputc(' ', to);
	if (op->action == LP_TXN_READ && !op->is_known) {
		fputc('?', to);
	} else if (op->is_list) {
		for (uint32_t i = 0; i < op->length; i++) {
			if (op->length > SHOWN && i == ENDS) {
				fputs(" ..", to);
				i = op->length - ENDS;
			}
			fputc(i ? ' ' : '[', to);
			put_value(h, lp_txns_element(t, op, i), to);
		}
		fputs(op->length ? "]" : "[]", to);
	} else {
		put_value(h, op->value, to);
	}
}

void lp_txns_print(const struct lp_history *h, uint32_t id, FILE *to)
{
	const struct lp_txn *txn = &h->txns->at[id];

	for (uint32_t i = 0; i < txn->count; i++) {
		if (i)
			fputs(", ", to);
		lp_txns_print_op(h, &h->txns->ops.at[txn->first + i], to);
	}
	if (!txn->count)
		fputs("nothing", to);
}

static void print_json_op(const struct lp_history *h, const struct lp_txn_op *op, FILE *to)
{
	static const char *const names[] = { "r", "w", "append" };

	fprintf(to, "[\"%s\",", names[op->action]);
	lp_history_print_json_value(h, h->txns->keys.at[op->key].name, to);
	fputc(',', to);
	if (op->action == LP_TXN_READ && !op->is_known) {
		fputs("\"?\"", to);
	} else if (op->is_list) {
		fputc('[', to);
		for (uint32_t i = 0; i < op->length; i++) {
			if (i)
				fputc(',', to);
			lp_history_print_json_value(h, lp_txns_element(h->txns, op, i), to);
		}
		fputc(']', to);
	} else {
		lp_history_print_json_value(h, op->value, to);
	}
	fputc(']', to);
}

void lp_txns_print_json(const struct lp_history *h, uint32_t id, FILE *to)
{
	const struct lp_txn *txn = &h->txns->at[id];

	fputc('[', to);
	for (uint32_t i = 0; i < txn->count; i++) {
		if (i)
			fputc(',', to);
		print_json_op(h, &h->txns->ops.at[txn->first + i], to);
	}
	fputc(']', to);
}
