/* facts.c -- versions, the transactions that read them, and errors that no order of versions can explain.
 *
 * After Kingsbury and Alvaro, "Elle: inferring isolation anomalies from experimental observations", VLDB 2020: list
 * elements are unique, so that a list that was read is the history of its key up to then.
 */
#include "check/txn/facts.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "check/txn/level.h"
#include "history/history.h"

/* What a transaction has done to a key so far. */
struct local {
	uint32_t owner;         /* the transaction + 1 that this is about */
	uint32_t own;           /* versions of its own so far */
	int64_t value;          /* register: what it wrote last, or read */
	uint32_t base;          /* list: how long it was without its own elements, when it was read */
	uint32_t version;       /* register: that it read */
	bool has_read;
};

static void note_flaw(struct lp_txn_facts *f, enum lp_txn_flaw flaw, uint32_t txn, uint32_t other, uint32_t key)
{
	static const enum lp_txn_base least[] = {
		[LP_TXN_DIRTY_UPDATE] = LP_TXN_READ_COMMITTED,
		[LP_TXN_ABORTED_READ] = LP_TXN_READ_COMMITTED,
		[LP_TXN_INTERMEDIATE_READ] = LP_TXN_READ_COMMITTED,
		[LP_TXN_UNREPEATABLE] = LP_TXN_SNAPSHOT,
		[LP_TXN_LOST_UPDATE] = LP_TXN_SNAPSHOT,
		[LP_TXN_FLAWLESS] = LP_TXN_READ_UNCOMMITTED,
	};

	if (flaw >= f->flaw || f->level->base < least[flaw])
		return;
	f->flaw = flaw;
	f->flawed = txn;
	f->other = other;
	f->flaw_key = key;
}

static uint64_t hash_of(uint32_t key, int64_t value)
{
	return lp_mix((uint64_t)value * UINT64_C(0x9e3779b97f4a7c15) + key);
}

/* Returns the version of a key with that value, or LP_TXN_NONE. */
static uint32_t version_of(const struct lp_txn_facts *f, uint32_t key, int64_t value)
{
	struct lp_hash_probe probe = lp_hash_probe(&f->by_value, hash_of(key, value));
	uint32_t id;

	while ((id = lp_hash_next(&f->by_value, &probe)) != LP_HASH_NONE)
		if (f->versions.at[id].key == key && f->versions.at[id].value == value)
			return id;
	return LP_TXN_NONE;
}

static bool key_is(struct lp_txn_facts *f, uint32_t id, const struct lp_txn_op *op, uint8_t *seen,
		   struct lp_error *error)
{
	enum { REGISTER = 1, LIST = 2 };
	char name[64];

	if (op->action == LP_TXN_APPEND || op->is_list)
		seen[op->key] |= LIST;
	else if (op->action == LP_TXN_WRITE || (op->is_known && op->value != LP_NIL))
		seen[op->key] |= REGISTER;
	if (seen[op->key] == (REGISTER | LIST))
		return lp_call_fail(f->h, &f->h->at[id], error, "'%s' is a list here, and a register elsewhere",
				    lp_call_describe_value(f->h, f->t->keys.at[op->key].name, name, sizeof name));
	f->is_list[op->key] = seen[op->key] != REGISTER; /* what was only read, and is nil, is either */
	return true;
}

static bool add_version(struct lp_txn_facts *f, uint32_t id, const struct lp_txn_op *op, struct lp_error *error)
{
	const uint32_t known = version_of(f, op->key, op->value);
	char key[64], value[64];

	f->made[op - f->t->ops.at] = known == LP_TXN_NONE ? f->versions.count : known;
	if (known == LP_TXN_NONE) {
		lp_hash_add(&f->by_value, hash_of(op->key, op->value), f->versions.count);
		LP_PUSH(&f->versions, (struct lp_txn_version){ .value = op->value, .key = op->key, .txn = id,
							       .pos = LP_TXN_NONE });
		LP_LAST(&f->versions).is_ambiguous = op->action == LP_TXN_WRITE && op->value == f->initial;
		return true;
	}
	if (op->action == LP_TXN_APPEND)
		return lp_call_fail(f->h, &f->h->at[id], error, "%s is appended to '%s' again: elements have to be unique",
				    lp_call_describe_value(f->h, op->value, value, sizeof value),
				    lp_call_describe_value(f->h, f->t->keys.at[op->key].name, key, sizeof key));
	if (f->versions.at[known].txn != id)
		f->versions.at[known].is_ambiguous = true;
	return true;
}

static bool take_versions(struct lp_txn_facts *f, struct lp_error *error)
{
	const struct lp_txns *t = f->t;
	uint8_t *seen = lp_alloc_zero(t->keys.count, 1);
	uint32_t writes = 0;
	bool good = true;

	for (uint32_t i = 0; i < t->ops.count; i++)
		writes += t->ops.at[i].action != LP_TXN_READ;
	lp_hash_reserve(&f->by_value, writes);
	f->made = lp_alloc(sizeof *f->made * ((size_t)t->ops.count + 1));
	for (uint32_t id = 0; id < t->count && good; id++) {
		for (uint32_t i = 0; i < t->at[id].count && good; i++) {
			const struct lp_txn_op *op = &t->ops.at[t->at[id].first + i];
			good = key_is(f, id, op, seen, error) &&
			       (op->action == LP_TXN_READ || add_version(f, id, op, error));
		}
	}
	lp_free(seen);
	return good;
}

/* F2 */
static void find_final(struct lp_txn_facts *f, struct local *locals)
{
	const struct lp_txns *t = f->t;

	for (uint32_t id = 0; id < t->count; id++)
		for (uint32_t i = t->at[id].count; i-- > 0;) {
			const struct lp_txn_op *op = &t->ops.at[t->at[id].first + i];
			if (op->action == LP_TXN_READ || locals[op->key].owner == id + 1)
				continue;
			locals[op->key].owner = id + 1;
			lp_txn_made(f, op)->final = true;
		}
	memset(locals, 0, sizeof *locals * t->keys.count);
}

/* If a committed transaction has read a version, the transaction that wrote it has committed, too; unless the level
 * allows aborted versions to be read. */
static void see(struct lp_txn_facts *f, uint32_t key, int64_t value)
{
	const uint32_t v = version_of(f, key, value);

	if (f->level->base > LP_TXN_READ_UNCOMMITTED && v != LP_TXN_NONE && !f->versions.at[v].is_ambiguous &&
	    f->t->at[f->versions.at[v].txn].outcome == LP_TXN_UNKNOWN)
		f->committed[f->versions.at[v].txn] = true;
}

static void find_committed(struct lp_txn_facts *f)
{
	const struct lp_txns *t = f->t;

	for (uint32_t id = 0; id < t->count; id++) {
		f->committed[id] |= t->at[id].outcome == LP_TXN_COMMITTED;
		for (uint32_t i = 0; i < t->at[id].count && t->at[id].outcome == LP_TXN_COMMITTED; i++) {
			const struct lp_txn_op *op = &t->ops.at[t->at[id].first + i];
			if (op->action == LP_TXN_READ && op->is_known && !op->is_list)
				see(f, op->key, op->value);
			for (uint32_t e = 0; op->is_list && !op->on_spine && e < op->length; e++)
				see(f, op->key, lp_txns_element(t, op, e));
		}
	}
	for (uint32_t key = 0; key < t->keys.count; key++)
		for (uint32_t e = 0; e < t->keys.at[key].count; e++)
			see(f, key, t->keys.at[key].at[e]);
}

/* The first transaction that has read so much of a list. */
static uint32_t reader_of(const struct lp_txn_facts *f, uint32_t key, uint32_t length)
{
	const struct lp_txns *t = f->t;

	for (uint32_t id = 0; id < t->count; id++)
		for (uint32_t i = 0; i < t->at[id].count; i++) {
			const struct lp_txn_op *op = &t->ops.at[t->at[id].first + i];
			if (op->is_list && op->key == key && op->on_spine && op->length >= length)
				return id;
		}
	return LP_TXN_NONE;
}

static void take_spine(struct lp_txn_facts *f, uint32_t key)
{
	const struct lp_txn_key *k = &f->t->keys.at[key];
	uint32_t *spine = f->spine + f->spine_from[key], aborted = LP_TXN_NONE;

	for (uint32_t e = 0; e < k->count; e++) {
		spine[e] = version_of(f, key, k->at[e]);
		if (spine[e] == LP_TXN_NONE) {
			note_flaw(f, LP_TXN_GARBAGE, reader_of(f, key, e + 1), LP_TXN_NONE, key);
			continue;
		}
		struct lp_txn_version *v = &f->versions.at[spine[e]];
		if (v->pos != LP_TXN_NONE)
			note_flaw(f, LP_TXN_DUPLICATE, reader_of(f, key, e + 1), v->txn, key);
		v->pos = e;
		if (f->t->at[v->txn].outcome == LP_TXN_ABORTED) {
			note_flaw(f, LP_TXN_ABORTED_READ, reader_of(f, key, e + 1), v->txn, key);
			aborted = aborted == LP_TXN_NONE ? v->txn : aborted;
		} else if (aborted != LP_TXN_NONE) {
			note_flaw(f, LP_TXN_DIRTY_UPDATE, v->txn, aborted, key);
		}
	}
}

static void take_spines(struct lp_txn_facts *f)
{
	const struct lp_txns *t = f->t;
	uint32_t sum = 0;

	f->spine_from = lp_alloc(sizeof *f->spine_from * (t->keys.count + 1));
	for (uint32_t key = 0; key < t->keys.count; sum += t->keys.at[key++].count)
		f->spine_from[key] = sum;
	f->spine = lp_alloc(sizeof *f->spine * (sum + 1));
	for (uint32_t key = 0; key < t->keys.count; key++)
		take_spine(f, key);
}

/* The list is not a prefix of the longest one.  Finds a more specific flaw, if there is one. */
static void judge_odd(struct lp_txn_facts *f, uint32_t id, const struct lp_txn_op *op)
{
	const struct lp_txns *t = f->t;
	uint32_t same = 0;

	for (uint32_t e = 0; e < op->length; e++) {
		const uint32_t v = version_of(f, op->key, lp_txns_element(t, op, e));
		if (v == LP_TXN_NONE)
			note_flaw(f, LP_TXN_GARBAGE, id, LP_TXN_NONE, op->key);
		else if (t->at[f->versions.at[v].txn].outcome == LP_TXN_ABORTED)
			note_flaw(f, LP_TXN_ABORTED_READ, id, f->versions.at[v].txn, op->key);
		for (uint32_t before = 0; f->flaw > LP_TXN_DUPLICATE && before < e; before++)
			if (lp_txns_element(t, op, before) == lp_txns_element(t, op, e))
				note_flaw(f, LP_TXN_DUPLICATE, id, LP_TXN_NONE, op->key);
	}
	while (lp_txns_element(t, op, same) == t->keys.at[op->key].at[same])
		same++;
	note_flaw(f, LP_TXN_INCOMPATIBLE, id, reader_of(f, op->key, same + 1), op->key);
}

/* Does the list end in what the transaction has appended, up to operation `i`? */
static bool ends_in_own(const struct lp_txn_facts *f, uint32_t id, uint32_t i)
{
	const struct lp_txn_op *ops = f->t->ops.at + f->t->at[id].first, *list = &ops[i];
	uint32_t left = list->length;

	while (i-- > 0) {
		if (ops[i].key != list->key || ops[i].action != LP_TXN_APPEND)
			continue;
		if (!left || lp_txns_element(f->t, list, --left) != ops[i].value)
			return false;
	}
	return true;
}

static void add_read(struct lp_txn_facts *f, uint32_t id, uint32_t key, uint32_t version)
{
	if (version != LP_TXN_NONE) {
		const struct lp_txn_version *v = &f->versions.at[version];
		if (v->txn == id) {
			note_flaw(f, LP_TXN_INTERNAL, id, LP_TXN_NONE, key); /* before it has written it */
			return;
		}
		if (f->t->at[v->txn].outcome == LP_TXN_ABORTED)
			note_flaw(f, LP_TXN_ABORTED_READ, id, v->txn, key);
		else if (!v->final)
			note_flaw(f, LP_TXN_INTERMEDIATE_READ, id, v->txn, key);
	}
	LP_PUSH(&f->reads, (struct lp_txn_read){ .txn = id, .key = key, .version = version });
}

static void read_list(struct lp_txn_facts *f, uint32_t id, uint32_t i, struct local *l)
{
	const struct lp_txn_op *op = &f->t->ops.at[f->t->at[id].first + i];

	if (op->is_list && !op->on_spine) {
		judge_odd(f, id, op);
		return;
	}
	if (!ends_in_own(f, id, i)) { /* nil is the empty list: its length is 0 */
		note_flaw(f, LP_TXN_INTERNAL, id, LP_TXN_NONE, op->key);
		return;
	}
	const uint32_t base = op->length - l->own;
	if (l->has_read && base != l->base)
		note_flaw(f, LP_TXN_UNREPEATABLE, id, LP_TXN_NONE, op->key);
	const uint32_t version = base ? f->spine[f->spine_from[op->key] + base - 1] : LP_TXN_NONE;
	if ((!l->has_read || base != l->base) && !(base && version == LP_TXN_NONE))
		add_read(f, id, op->key, version);
	l->has_read = true;
	l->base = base;
}

static void read_register(struct lp_txn_facts *f, uint32_t id, const struct lp_txn_op *op, struct local *l)
{
	const uint32_t v = version_of(f, op->key, op->value);

	if (l->own) {
		if (op->value != l->value)
			note_flaw(f, LP_TXN_INTERNAL, id, LP_TXN_NONE, op->key);
		return;
	}
	if (l->has_read && op->value != l->value)
		note_flaw(f, LP_TXN_UNREPEATABLE, id, LP_TXN_NONE, op->key);
	if (v == LP_TXN_NONE && op->value != f->initial)
		note_flaw(f, LP_TXN_GARBAGE, id, LP_TXN_NONE, op->key);
	else if (v != LP_TXN_NONE && f->versions.at[v].is_ambiguous)
		f->is_ambiguous = true;
	else if (!l->has_read || op->value != l->value)
		add_read(f, id, op->key, v);
	l->has_read = true;
	l->value = op->value;
}

/* Own elements of a list follow each other, in the order in which they were appended. */
static void judge_own_order(struct lp_txn_facts *f, uint32_t id, const struct lp_txn_op *op, struct local *l)
{
	const struct lp_txn_version *v = lp_txn_made(f, op);

	if (l->own && v->pos != LP_TXN_NONE && (l->version == LP_TXN_NONE || l->version >= v->pos))
		note_flaw(f, LP_TXN_INCOMPATIBLE, id, reader_of(f, op->key, v->pos + 1), op->key);
	l->version = v->pos;
}

static void take_txn(struct lp_txn_facts *f, uint32_t id, struct local *locals)
{
	const struct lp_txn *txn = &f->t->at[id];
	const uint32_t first_read = f->reads.count;

	for (uint32_t i = 0; i < txn->count; i++) {
		const struct lp_txn_op *op = &f->t->ops.at[txn->first + i];
		struct local *l = &locals[op->key];
		if (l->owner != id + 1)
			*l = (struct local){ .owner = id + 1, .version = LP_TXN_NONE };
		if (op->action == LP_TXN_READ && !op->is_known)
			continue;
		if (op->action == LP_TXN_READ && f->is_list[op->key]) {
			read_list(f, id, i, l);
		} else if (op->action == LP_TXN_READ) {
			read_register(f, id, op, l);
		} else {
			if (op->action == LP_TXN_APPEND)
				judge_own_order(f, id, op, l);
			l->own++;
			l->value = op->value;
		}
	}
	for (uint32_t i = 0; i < txn->count; i++) { /* an element of its own before it was appended */
		const struct lp_txn_op *op = &f->t->ops.at[txn->first + i];
		const struct local *l = &locals[op->key];
		if (op->action != LP_TXN_APPEND || !l->has_read)
			continue;
		const uint32_t pos = lp_txn_made(f, op)->pos;
		if (pos != LP_TXN_NONE && pos < l->base)
			note_flaw(f, LP_TXN_INTERNAL, id, LP_TXN_NONE, op->key);
	}
	for (uint32_t i = first_read; i < f->reads.count; i++)
		f->reads.at[i].writes = locals[f->reads.at[i].key].own > 0;
}

/* Finds two transactions that read the same version of a key and both write the key. */
static void find_lost_updates(struct lp_txn_facts *f)
{
	uint32_t *of_version = lp_alloc_zero(f->versions.count + 1, sizeof *of_version);
	uint32_t *of_initial = lp_alloc_zero(f->t->keys.count + 1, sizeof *of_initial);

	for (uint32_t i = 0; i < f->reads.count && f->flaw > LP_TXN_LOST_UPDATE; i++) {
		const struct lp_txn_read *r = &f->reads.at[i];
		uint32_t *first = r->version == LP_TXN_NONE ? &of_initial[r->key] : &of_version[r->version];
		if (!r->writes)
			continue;
		if (*first && *first - 1 != r->txn)
			note_flaw(f, LP_TXN_LOST_UPDATE, *first - 1, r->txn, r->key);
		*first = r->txn + 1;
	}
	lp_free(of_version);
	lp_free(of_initial);
}

bool lp_txn_facts_open(struct lp_txn_facts *f, const struct lp_history *h, const struct lp_txn_level *level,
		       int64_t initial, struct lp_error *error)
{
	*f = (struct lp_txn_facts){ .h = h, .t = h->txns, .level = level, .initial = initial, .flaw = LP_TXN_FLAWLESS };
	f->committed = lp_alloc_zero(h->count + 1, sizeof *f->committed);
	f->is_list = lp_alloc_zero(f->t->keys.count + 1, sizeof *f->is_list);
	if (!take_versions(f, error)) {
		lp_txn_facts_close(f);
		return false;
	}
	struct local *locals = lp_alloc_zero(f->t->keys.count + 1, sizeof *locals);
	find_final(f, locals);
	find_committed(f);
	take_spines(f);
	for (uint32_t id = 0; id < h->count; id++)
		take_txn(f, id, locals);
	if (level->base >= LP_TXN_SNAPSHOT)
		find_lost_updates(f);
	lp_free(locals);
	return true;
}

void lp_txn_facts_close(struct lp_txn_facts *f)
{
	lp_free(f->committed);
	lp_free(f->is_list);
	lp_free(f->versions.at);
	lp_hash_close(&f->by_value);
	lp_free(f->made);
	lp_free(f->reads.at);
	lp_free(f->spine_from);
	lp_free(f->spine);
	*f = (struct lp_txn_facts){ 0 };
}
