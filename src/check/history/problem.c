/* problem.c -- converts recorded calls to operations with ranks. */
#include "check/history/problem.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/sort.h"
#include "history/texts.h"
#include "spec/traits.h"

static bool is_text(const struct lp_history *h, int64_t value, const char *word)
{
	size_t length;
	const char *text = lp_texts_text(h->texts, value, &length);
	return text && length == strlen(word) && !memcmp(text, word, length);
}

/* Does the result say only "done"? */
static bool says_done(const struct lp_history *h, const struct lp_call *c)
{
	return c->results == 0 ||
	       (c->results == 1 && (c->result == LP_VOID || c->result == LP_NIL ||
				    c->result == 1 || is_text(h, c->result, "ok")));
}

/* Brings the result of a call into the shape of its method. */
static bool shape_result(struct lp_history_op *op, const struct lp_history *h, const struct lp_call *c,
			 const struct lp_kind *kind)
{
	const struct lp_method *m = &kind->methods[op->method];
	const bool whole = m->roles & LP_WHOLE;

	op->results = c->results & LP_RESULT_UNKNOWN;
	op->result = c->result;
	if (c->results == LP_RESULT_UNKNOWN)
		return true;
	switch (m->result) {
	case LP_NOTHING:
		op->results = 0;
		return says_done(h, c);
	case LP_VALUE:
		return c->results == 1;
	case LP_VALUE_OR_EMPTY:
		if (c->result == LP_NIL || c->result == LP_VOID)
			op->result = LP_EMPTY;
		return c->results == 1;
	case LP_SUCCESS:
		op->results = 1;
		op->result = says_done(h, c);
		return op->result == 1 || (c->results == 1 && (c->result == LP_FULL || c->result == 0));
	case LP_TRUTH:
		if (says_done(h, c) && !(c->results == 1 && c->result == 1)) {
			op->results = LP_RESULT_UNKNOWN; /* all that is known is that the call returned */
			return true;
		}
		return c->results == 1 && (c->result == 0 || c->result == 1);
	case LP_VALUES:
		/* For a read of a whole set, no values means that it is empty, and nil means that the result is unknown. */
		if (whole && c->results == 1 && (c->result == LP_EMPTY || c->result == LP_NIL)) {
			op->results = c->result == LP_EMPTY ? 0 : LP_RESULT_UNKNOWN;
			return true;
		}
		if (whole && lp_kind_traits(kind)->pairs)
			return c->results % 2 == 0;
		return whole || c->results >= 1;
	}
	return false;
}

static const char *shape_words(enum lp_shape shape, bool pairs)
{
	switch (shape) {
	case LP_NOTHING: return "no result";
	case LP_VALUE: return "a value";
	case LP_VALUE_OR_EMPTY: return "a value or empty";
	case LP_SUCCESS: return "true, false or nothing";
	case LP_TRUTH: return "true or false";
	case LP_VALUES: return pairs ? "keys and values in turns" : "several values";
	}
	return "";
}

static bool unknown_method(const struct lp_history *h, const struct lp_kind *kind,
			   const struct lp_call *c, struct lp_error *error)
{
	char known[256] = "", word[32];
	size_t used = 0;

	for (uint32_t i = 0; i < kind->method_count; i++) {
		const int wrote = snprintf(known + used, sizeof known - used, "%s%s",
					   i ? ", " : "", lp_method_name(&kind->methods[i], word));
		if (wrote < 0 || used + (size_t)wrote >= sizeof known)
			break;
		used += (size_t)wrote;
	}
	return lp_call_fail(h, c, error, "%s has no method '%s' (it has %s)", kind->name,
			    h->methods.at[c->method], known);
}

static bool wrong_shape(const struct lp_history *h, uint32_t id, const struct lp_kind *kind, const struct lp_method *m,
			struct lp_error *error)
{
	char text[64];

	lp_call_describe_result(h, id, text, sizeof text);
	return lp_call_fail(h, &h->at[id], error, "%s gives %s, not %s",
			    h->methods.at[h->at[id].method], shape_words(m->result, lp_kind_traits(kind)->pairs),
			    h->at[id].results ? text : "nothing");
}

/* Does the specification compute with values, or compare them by <?  Texts are numbered in the order of appearance, so they
 * can only be compared for equality. */
static bool wants_numbers(const struct lp_kind *kind)
{
	return kind->data == LP_DATA_ORDER || lp_kind_traits(kind)->numbers;
}

static bool has_numbers(const struct lp_history *h, const struct lp_call *c, struct lp_error *error)
{
	char text[64];

	for (uint32_t i = 0; i < c->args; i++)
		if (c->arg[i] < LP_LOWEST)
			return lp_call_fail(h, c, error, "%s takes a number, not '%s'",
					    h->methods.at[c->method],
					    lp_call_describe_value(h, c->arg[i], text, sizeof text));
	return true;
}

/* Maps the methods of the history to those of the specification. */
static uint32_t *name_methods(const struct lp_problem *p)
{
	const struct lp_history *h = p->history;
	uint32_t *method = lp_alloc(sizeof *method * h->methods.count);

	for (uint32_t i = 0; i < h->methods.count; i++)
		method[i] = lp_method_named(p->spec.kind, h->methods.at[i], strlen(h->methods.at[i]));
	return method;
}

static bool bind_op(const struct lp_problem *p, uint32_t i, uint32_t m, struct lp_history_op *op, struct lp_error *error)
{
	const struct lp_history *h = p->history;
	const struct lp_kind *kind = p->spec.kind;
	const struct lp_call *c = &h->at[i];

	if (m == LP_NO_METHOD)
		return unknown_method(h, kind, c, error);
	*op = (struct lp_history_op){ .call = i,
			      .method = (uint8_t)m,
			      .end = LP_NEVER,
			      .arg = c->args ? c->arg[0] : LP_VOID };
	if (c->args != kind->methods[m].args)
		return lp_call_fail(h, c, error, "%s takes %u argument%s, not %u", h->methods.at[c->method],
				    kind->methods[m].args, kind->methods[m].args == 1 ? "" : "s", c->args);
	if (!shape_result(op, h, c, kind))
		return wrong_shape(h, i, kind, &kind->methods[m], error);
	if (kind->methods[m].result == LP_NOTHING && c->args > 1)
		op->result = c->arg[1];
	return !wants_numbers(kind) || has_numbers(h, c, error);
}

static bool bind_ops(struct lp_problem *p, struct lp_error *error)
{
	uint32_t *method = name_methods(p);
	bool good = true;

	for (uint32_t i = 0; good && i < p->history->count; i++) {
		const uint32_t m = method[p->history->at[i].method];
		good = bind_op(p, i, m, &p->ops[i], error);
		p->methods |= good ? UINT64_C(1) << m : 0;
	}
	lp_free(method);
	return good;
}

/* Sorts starts and ends. */
static void rank_ops(struct lp_problem *p)
{
	struct lp_keyed *at = lp_alloc(sizeof *at * 2 * (size_t)p->count);
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		const struct lp_call *c = &p->history->at[i];
		at[count++] = (struct lp_keyed){ lp_call_moment(p->history, c, false), 2 * i };
		if (!lp_call_is_pending(c))
			at[count++] = (struct lp_keyed){ lp_call_moment(p->history, c, true), 2 * i + 1 };
	}
	lp_sort_keyed(at, count);
	p->ranks = count;
	p->events = lp_alloc(sizeof *p->events * count);
	for (uint32_t rank = 0; rank < count; rank++) {
		const uint32_t event = at[rank].id;
		p->events[rank] = event;
		if (event & 1)
			p->ops[event / 2].end = rank;
		else
			p->ops[event / 2].start = rank;
	}
	lp_free(at);
}

static void find_unnamed_keys(struct lp_problem *p)
{
	struct {
		LP_VEC(int64_t);
	} keys = { 0 }, unnamed_keys = { 0 };

	for (uint32_t i = 0; i < p->count; i++)
		if (lp_op_method(p, &p->ops[i])->args)
			LP_PUSH(&keys, p->ops[i].arg);
	if (keys.count)
		qsort(keys.at, keys.count, sizeof *keys.at, lp_sort_compare_values);
	const uint32_t width = lp_kind_traits(p->spec.kind)->pairs ? 2 : 1;
	for (uint32_t i = 0; i < p->count; i++) {
		const struct lp_method *m = lp_op_method(p, &p->ops[i]);
		const struct lp_spec_call c = lp_problem_call(p, i);
		if (m->result != LP_VALUES || !(m->roles & LP_WHOLE) || !c.result)
			continue;
		for (uint32_t j = 0; j < c.results; j += width)
			if (!keys.count || !bsearch(&c.result[j], keys.at, keys.count, sizeof *keys.at, lp_sort_compare_values))
				LP_PUSH(&unnamed_keys, c.result[j]);
	}
	if (unnamed_keys.count)
		qsort(unnamed_keys.at, unnamed_keys.count, sizeof *unnamed_keys.at, lp_sort_compare_values);
	lp_free(keys.at);
	p->unnamed_keys = unnamed_keys.at;
	p->unnamed_key_count = unnamed_keys.count;
}

static bool reads_everything(const struct lp_problem *p)
{
	for (uint32_t m = 0; m < p->spec.kind->method_count; m++)
		if ((p->methods >> m & 1) && p->spec.kind->methods[m].result == LP_VALUES &&
		    (p->spec.kind->methods[m].roles & LP_WHOLE))
			return true;
	return false;
}

static bool begin(struct lp_problem *p, const struct lp_history *h, const struct lp_spec *spec, struct lp_error *error)
{
	*p = (struct lp_problem){ .history = h, .spec = *spec, .count = h->count };
	if (h->count > UINT32_MAX / 4)
		return lp_fail(error, "too many calls");
	if (spec->kind->method_count > 64)
		return lp_fail(error, "%s has more than 64 methods", spec->kind->name);

	/* Some formats define the initial value of a cell; the user's parameter takes precedence. */
	const int init = lp_spec_param(spec, "init");
	if (h->has_initial && init >= 0 && !spec->given[init] &&
	    lp_kind_method(spec->kind, LP_VERB_WRITE) != LP_NO_METHOD)
		p->spec.param[init] = h->initial;
	return true;
}

bool lp_problem_open(struct lp_problem *p, const struct lp_history *h,
		     const struct lp_spec *spec, struct lp_error *error)
{
	if (!begin(p, h, spec, error))
		return false;
	p->ops = lp_alloc(sizeof *p->ops * h->count);
	if (!bind_ops(p, error)) {
		lp_problem_close(p);
		return false;
	}
	rank_ops(p);
	if (reads_everything(p))
		find_unnamed_keys(p);
	return true;
}

/* A heap of the open calls; the next one to end is first. */
struct open_calls {
	LP_VEC(struct lp_keyed);
};

static bool ends_before(const struct lp_keyed *a, const struct lp_keyed *b)
{
	return a->key < b->key || (a->key == b->key && a->id < b->id);
}

static void push_open(struct open_calls *o, struct lp_keyed call)
{
	LP_PUSH(o, call);
	for (uint32_t at = o->count - 1; at && ends_before(&call, &o->at[(at - 1) / 2]); at = (at - 1) / 2) {
		o->at[at] = o->at[(at - 1) / 2];
		o->at[(at - 1) / 2] = call;
	}
}

static void pop_open(struct open_calls *o)
{
	const struct lp_keyed last = o->at[--o->count];
	uint32_t at = 0;

	for (uint32_t next; (next = 2 * at + 1) < o->count; at = next) {
		next += next + 1 < o->count && ends_before(&o->at[next + 1], &o->at[next]);
		if (!ends_before(&o->at[next], &last))
			break;
		o->at[at] = o->at[next];
	}
	if (o->count)
		o->at[at] = last;
}

/* Are the calls in the order of their starts, and do they all fit the specification? */
static bool can_be_taken(struct lp_problem *p)
{
	const struct lp_history *h = p->history;
	uint32_t *method = name_methods(p);
	struct lp_error ignored;
	struct lp_history_op op;
	bool good = true;

	for (uint32_t i = 0; good && i < h->count; i++) {
		good = (!i || lp_call_moment(h, &h->at[i - 1], false) <= lp_call_moment(h, &h->at[i], false)) &&
		       bind_op(p, i, method[h->at[i].method], &op, &ignored);
		p->methods |= good ? UINT64_C(1) << op.method : 0;
	}
	lp_free(method);
	return good && !reads_everything(p);
}

/* Replaces the times of the calls by their ranks. */
static void rank_calls(struct lp_problem *p, struct lp_history *h)
{
	struct open_calls open = { 0 };

	for (uint32_t i = 0; i <= h->count; i++) {
		const uint64_t moment = i < h->count ? lp_call_moment(h, &h->at[i], false) : UINT64_MAX;
		while (open.count && open.at[0].key < moment) {
			h->at[open.at[0].id].end = p->ranks;
			p->events[p->ranks++] = 2 * open.at[0].id + 1;
			pop_open(&open);
		}
		if (i == h->count)
			break;
		if (!lp_call_is_pending(&h->at[i]))
			push_open(&open, (struct lp_keyed){ lp_call_moment(h, &h->at[i], true), i });
		h->at[i].start = p->ranks;
		p->events[p->ranks++] = 2 * i;
	}
	lp_free(open.at);
}

bool lp_problem_take(struct lp_problem *p, struct lp_history *h, const struct lp_spec *spec)
{
	struct lp_error ignored;

	_Static_assert(sizeof(struct lp_history_op) <= sizeof(struct lp_call), "an operation takes the place of its call");
	if (!begin(p, h, spec, &ignored) || !can_be_taken(p))
		return false;
	p->events = lp_alloc(sizeof *p->events * 2 * ((size_t)h->count + 1));
	rank_calls(p, h);
	uint32_t *method = name_methods(p);
	for (uint32_t i = 0; i < h->count; i++) {
		const int64_t start = h->at[i].start, end = h->at[i].end;
		struct lp_history_op op;
		bind_op(p, i, method[h->at[i].method], &op, &ignored);
		op.call = h->at[i].thread;
		op.start = (uint32_t)start;
		op.end = end == LP_PENDING ? LP_NEVER : (uint32_t)end;
		memcpy((char *)h->at + sizeof op * i, &op, sizeof op);
	}
	lp_free(method);
	p->ops = lp_realloc(h->at, sizeof *p->ops * ((size_t)h->count + 1));
	h->at = NULL;
	h->count = h->room = 0;
	return true;
}

void lp_problem_close(struct lp_problem *p)
{
	lp_free(p->ops);
	lp_free(p->events);
	if (!p->is_part)
		lp_free((void *)p->unnamed_keys);
	*p = (struct lp_problem){ 0 };
}

void lp_problem_part(struct lp_problem *part, const struct lp_problem *p, const uint32_t *ops,
		     const bool *open, uint32_t count)
{
	struct lp_keyed *at = lp_alloc(sizeof *at * 2 * (size_t)count);

	*part = (struct lp_problem){ .history = p->history, .spec = p->spec, .count = count,
				     .wanted = p->wanted, .closure = p->closure, .unnamed_keys = p->unnamed_keys,
				     .unnamed_key_count = p->unnamed_key_count, .is_part = true };
	part->ops = lp_alloc(sizeof *part->ops * count);
	for (uint32_t i = 0; i < count; i++) {
		struct lp_history_op op = p->ops[ops[i]];
		if (open && open[i]) {
			op.end = LP_NEVER;
			op.results = LP_RESULT_UNKNOWN;
		}
		at[part->ranks++] = (struct lp_keyed){ op.start, 2 * i };
		if (op.end != LP_NEVER)
			at[part->ranks++] = (struct lp_keyed){ op.end, 2 * i + 1 };
		part->methods |= UINT64_C(1) << op.method;
		part->ops[i] = op;
	}
	lp_sort_keyed(at, part->ranks);
	part->events = lp_alloc(sizeof *part->events * part->ranks);
	for (uint32_t rank = 0; rank < part->ranks; rank++) {
		struct lp_history_op *op = &part->ops[at[rank].id / 2];
		part->events[rank] = at[rank].id;
		if (at[rank].id & 1)
			op->end = rank;
		else
			op->start = rank;
	}
	lp_free(at);
}

void lp_groups_open(struct lp_groups *g, const struct lp_problem *p)
{
	int64_t *keys = lp_alloc(sizeof *keys * p->count);
	uint32_t *group = lp_alloc(sizeof *group * p->count);

	for (uint32_t i = 0; i < p->count; i++)
		keys[i] = p->ops[i].arg;
	g->count = lp_sort_number_values(keys, p->count, group);
	g->first = lp_alloc_zero((size_t)g->count + 2, sizeof *g->first);
	g->ops = lp_alloc(sizeof *g->ops * p->count);
	/* first[g + 1] is where the next operation of g goes, and at last its end. */
	for (uint32_t i = 0; i < p->count; i++)
		g->first[group[i] + 2]++;
	for (uint32_t i = 2; i <= g->count; i++)
		g->first[i] += g->first[i - 1];
	for (uint32_t i = 0; i < p->count; i++)
		g->ops[g->first[group[i] + 1]++] = i;
	lp_free(keys);
	lp_free(group);
}

void lp_groups_close(struct lp_groups *g)
{
	lp_free(g->first);
	lp_free(g->ops);
	*g = (struct lp_groups){ 0 };
}

struct lp_spec_call lp_problem_call(const struct lp_problem *p, uint32_t id)
{
	const struct lp_history_op *op = &p->ops[id];
	const struct lp_call *c = &p->history->at[op->call];
	const bool stands_for = !c->args && lp_op_method(p, op)->args;
	struct lp_spec_call call = { .arg = stands_for ? &op->arg : c->arg,
				     .args = stands_for ? 1 : c->args,
				     .results = op->results,
				     .thread = c->thread };

	if (op->results != LP_RESULT_UNKNOWN)
		call.result = op->results > 1 ? p->history->values.at + op->result : &op->result;
	if (p->history->texts) {
		call.join = lp_texts_join;
		call.texts = p->history->texts;
	}
	return call;
}
