/* txn_read.c -- transactions as Elle writes them, in EDN and in JSON:
 *
 *     [[:append x 1] [:r y [1 2]] [:w z 3] [:r z nil]]
 *     [["append","x",1],["r","y",[1,2]],["w","z",3],["r","z",null]]
 *
 * A transaction begins with :invoke, and is completed by :ok (it committed), :fail (it aborted) or :info (unknown).  The
 * values that it read are taken from the completion, or from the invocation if there is no completion.
 *
 * A history may consist of completions only.  Then starts are unknown, and are assumed to be as early as possible.
 */
#include "history/reader.h"

#include <string.h>

#include "history/texts.h"
#include "history/txns.h"

static bool take_action(struct lp_reader *r, int64_t name, struct lp_txn_op *op)
{
	static const struct {
		const char *name;
		enum lp_txn_action action;
	} names[] = {
		{ "r", LP_TXN_READ }, { "w", LP_TXN_WRITE }, { "append", LP_TXN_APPEND },
		{ "read", LP_TXN_READ }, { "write", LP_TXN_WRITE },
	};
	size_t length;
	const char *text = lp_texts_text(r->h->texts, name, &length);

	for (size_t i = 0; text && i < sizeof names / sizeof *names; i++)
		if (length == strlen(names[i].name) && !memcmp(text, names[i].name, length)) {
			op->action = (uint8_t)names[i].action;
			return true;
		}
	return lp_reader_fail(r, "expected r, w or append as the first of an operation");
}

static bool is_unknown(const struct lp_reader *r, int64_t value)
{
	size_t length;
	const char *text = lp_texts_text(r->h->texts, value, &length);

	return text && length == 1 && *text == '?';
}

/* Parses the elements of a list after its opening bracket. */
static bool parse_list(struct lp_reader *r, const struct lp_txn_syntax *s, struct lp_txn_op *op)
{
	struct lp_txns *t = r->h->txns;
	int more;

	op->is_list = true;
	op->value = t->elements.count;
	while ((more = s->more(r, !op->length)) > 0) {
		int64_t value;
		if (!s->scalar(r, &value))
			return false;
		LP_PUSH(&t->elements, value);
		op->length++;
	}
	return !more && (op->action == LP_TXN_READ || lp_reader_fail(r, "a list can be read, not written"));
}

static bool parse_value(struct lp_reader *r, const struct lp_txn_syntax *s, struct lp_txn_op *op)
{
	op->is_known = true;
	if (s->begin(r))
		return parse_list(r, s, op);
	if (!s->scalar(r, &op->value))
		return false;
	if (op->action == LP_TXN_READ && is_unknown(r, op->value))
		op->is_known = false;
	return true;
}

static bool parse_op(struct lp_reader *r, const struct lp_txn_syntax *s)
{
	struct lp_txn_op op = { 0 };
	int64_t name, key;
	int more;

	if (!s->begin(r))
		return lp_reader_fail(r, "expected an operation: a list of r, w or append, a key, and a value");
	if ((more = s->more(r, true)) <= 0 || !s->scalar(r, &name) || !take_action(r, name, &op))
		return more < 0 || more > 0 ? false : lp_reader_fail(r, "an operation is empty");
	if ((more = s->more(r, false)) <= 0 || !s->scalar(r, &key))
		return more < 0 || more > 0 ? false : lp_reader_fail(r, "an operation needs a key");
	op.key = lp_txns_key(r->h->txns, key);
	if ((more = s->more(r, false)) < 0 || (more && !parse_value(r, s, &op)))
		return false;
	if (!more && op.action != LP_TXN_READ)
		return lp_reader_fail(r, "what is written is missing");
	if (more && (more = s->more(r, false)))
		return more < 0 ? false : lp_reader_fail(r, "an operation has more than a key and a value");
	LP_PUSH(&r->h->txns->draft, op);
	return true;
}

bool lp_txn_parse(struct lp_reader *r, const struct lp_txn_syntax *s)
{
	struct lp_txns *t = r->h->txns;
	int64_t none;
	int more;

	t->draft.count = t->elements.count = 0;
	if (!s->begin(r))
		return s->scalar(r, &none) && (none == LP_NIL ||
					       lp_reader_fail(r, "expected a list of operations"));
	while ((more = s->more(r, !t->draft.count)) > 0)
		if (!parse_op(r, s))
			return false;
	return !more;
}

bool lp_txn_type_named(const char *name, size_t length, enum lp_txn_type *type)
{
	static const char *const names[] = { "invoke", "ok", "fail", "info" };

	for (int i = 0; i < 4; i++)
		if (length == strlen(names[i]) && !memcmp(name, names[i], length)) {
			*type = (enum lp_txn_type)i;
			return true;
		}
	return false;
}

enum lp_txn_outcome lp_txn_outcome_of(enum lp_txn_type type)
{
	return type == LP_TXN_OK ? LP_TXN_COMMITTED : type == LP_TXN_FAIL ? LP_TXN_ABORTED : LP_TXN_UNKNOWN;
}

/* Returns the call that ends now: the open call of the thread, or, if the history has no invocations, a new
 * call. */
static struct lp_call *completed(struct lp_reader *r, uint32_t thread)
{
	if (r->open.count)
		return lp_reader_return(r, thread);
	LP_PUSH(r->h, (struct lp_call){ .start = -1, .end = r->now++, .thread = thread, .line = r->line,
					.method = lp_history_method(r->h, "txn", 3) });
	return &LP_LAST(r->h);
}

bool lp_txn_event(struct lp_reader *r, uint32_t thread, enum lp_txn_type type, bool has_value)
{
	struct lp_txns *t = r->h->txns;
	struct lp_call *c;

	if (type == LP_TXN_INVOKE) {
		if (r->h->count && !r->open.count)
			return lp_reader_fail(r, "an invocation, though those of the transactions before are missing");
		c = lp_reader_call(r, thread);
		if (c)
			c->method = lp_history_method(r->h, "txn", 3);
	} else {
		c = completed(r, thread);
	}
	if (!c)
		return false;
	const uint32_t id = (uint32_t)(c - r->h->at);
	if (type == LP_TXN_OK && !has_value)
		return lp_reader_fail(r, "what a transaction did that committed is missing");
	c->results = type == LP_TXN_OK || type == LP_TXN_FAIL ? 0 : LP_RESULT_UNKNOWN;
	if (type == LP_TXN_INFO)
		c->end = LP_PENDING;
	if (has_value || id >= t->count)
		lp_txns_set(t, id, lp_txn_outcome_of(type));
	else
		t->at[id].outcome = (uint8_t)lp_txn_outcome_of(type);
	return true;
}
