/* lazy_calls.c -- classifies calls for lazy.c, and numbers values.  A value that is inserted again gets a new number
 * (lazy.h, L4). */
#include <string.h>

#include "check/history/fast/lazy.h"
#include "check/history/fast/lazy_parts.h"
#include "check/sort.h"

/* The methods of the kind, by number. */
struct methods {
	uint32_t insert, remove, look, is_empty;
};

static struct methods methods_of(const struct lp_kind *kind)
{
	return (struct methods){ lp_kind_method(kind, LP_VERB_INSERT), lp_kind_method(kind, LP_VERB_TAKE),
				 lp_kind_method(kind, LP_VERB_PEEK), lp_kind_method(kind, LP_VERB_IS_EMPTY) };
}

static bool param(const struct lp_problem *p, const char *name)
{
	const int at = lp_spec_param(&p->spec, name);

	return at >= 0 && p->spec.param[at];
}

/* Classifies a call.  Returns false if its method is not supported. */
static bool classify(struct lp_lazy *l, const struct methods *n, uint32_t i)
{
	const struct lp_history_op *op = &l->p->ops[i];
	struct lp_lazy_call *c = &l->calls[i];
	const bool known = op->results == 1;

	*c = (struct lp_lazy_call){ .want = LP_LAZY_NO_WANT, .number = LP_LAZY_NONE, .item = LP_LAZY_NONE,
			    .is_pending = lp_op_is_pending(op) };
	if (op->method == n->insert) {
		const bool failed = known && l->p->spec.kind->methods[op->method].result == LP_SUCCESS &&
				    !op->result;
		if (failed)
			c->want = param(l->p, "bounded") ? LP_LAZY_NO_WANT : LP_LAZY_IMPOSSIBLE;
		else
			c->item = 0;
		c->may_fail = !known && param(l->p, "bounded");
		l->relaxed |= failed || c->may_fail;
	} else if (op->method == n->remove) {
		c->want = !known			? LP_LAZY_TAKES_UNKNOWN :
			  op->result != LP_EMPTY	? LP_LAZY_TAKES :
			  l->blocks			? LP_LAZY_IMPOSSIBLE :
							  LP_LAZY_FINDS_NOTHING;
	} else if (op->method == n->look) {
		c->want = !known ? LP_LAZY_NO_WANT : op->result == LP_EMPTY ? LP_LAZY_FINDS_NOTHING : LP_LAZY_SEES;
	} else if (op->method == n->is_empty) {
		c->want = !known ? LP_LAZY_NO_WANT : op->result ? LP_LAZY_FINDS_NOTHING : LP_LAZY_SEES_SOME;
	} else {
		return false;
	}
	return true;
}

static bool has_value(const struct lp_lazy_call *c)
{
	return c->item != LP_LAZY_NONE || c->want == LP_LAZY_TAKES || c->want == LP_LAZY_SEES;
}

/* A value, while it is numbered. */
struct naming {
	uint32_t name;   /* its number, for now */
	uint32_t open;   /* calls on it */
	uint32_t inside; /* insertions minus removals that have returned */
	bool used;
};

/* Numbers the values; a value that is inserted again after it was certainly removed gets a new number
 * (L4).  Returns how many there are. */
static uint32_t name_values(const struct lp_lazy *l, uint32_t *number)
{
	const struct lp_problem *p = l->p;
	int64_t *values = lp_alloc(sizeof *values * (p->count + 1));
	uint32_t names = 0;

	for (uint32_t i = 0; i < p->count; i++)
		values[i] = l->calls[i].item != LP_LAZY_NONE ? p->ops[i].arg :
			    has_value(&l->calls[i])	     ? p->ops[i].result :
							       0;
	const uint32_t count = lp_sort_number_values(values, p->count, number);
	struct naming *at = lp_alloc_zero((size_t)count + 1, sizeof *at);
	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const uint32_t i = p->events[rank] / 2;
		struct naming *n = &at[p->events[rank] & 1 ? 0 : number[i]];
		if (!has_value(&l->calls[i]))
			continue;
		if (!(p->events[rank] & 1)) {
			if (!n->used || (!n->open && !n->inside))
				n->name = names++;
			n->used = true;
			n->open++;
			values[i] = number[i];
			number[i] = n->name;
			continue;
		}
		n = &at[values[i]];
		n->open--;
		n->inside += l->calls[i].item != LP_LAZY_NONE;
		n->inside -= l->calls[i].want == LP_LAZY_TAKES; /* it may become negative, in a history
								 * that is wrong anyway */
	}
	lp_free(at);
	lp_free(values);
	return names;
}

/* Makes the items, by their ends. */
static void make_items(struct lp_lazy *l)
{
	const struct lp_problem *p = l->p;
	uint32_t *number = lp_alloc(sizeof *number * (p->count + 1));
	struct lp_keyed *by_end = lp_alloc(sizeof *by_end * (p->count + 1));
	const uint32_t count = name_values(l, number);

	l->first = lp_alloc(sizeof *l->first * (count + 1));
	l->spare = lp_alloc_zero((size_t)count + 1, sizeof *l->spare);
	memset(l->first, 0xff, sizeof *l->first * (count + 1));
	for (uint32_t i = 0; i < p->count; i++) {
		if (has_value(&l->calls[i]))
			l->calls[i].number = number[i];
		if (l->calls[i].item != LP_LAZY_NONE)
			by_end[l->count++] = (struct lp_keyed){
				l->calls[i].may_fail ? LP_NEVER : p->ops[i].end, i };
	}
	lp_sort_keyed(by_end, l->count);
	l->items = lp_alloc(sizeof *l->items * (l->count + 1));
	for (uint32_t k = l->count; k-- > 0;) {
		const uint32_t i = by_end[k].id;
		const struct lp_history_op *op = &p->ops[i];
		l->calls[i].item = k;
		l->items[k] = (struct lp_lazy_item){
			.start = (op->start + UINT64_C(1)) * LP_LAZY_TICKS,
			.end = by_end[k].key == LP_NEVER ? LP_LAZY_NEVER : (op->end + UINT64_C(1)) * LP_LAZY_TICKS,
			.value = op->arg, .number = number[i], .next = l->first[number[i]]
		};
		l->first[number[i]] = k;
		l->spare[number[i]]++;
	}
	l->too_many = LP_LAZY_NONE;
	for (uint32_t i = 0; i < p->count; i++) {
		if (l->calls[i].want != LP_LAZY_TAKES)
			continue;
		else if (l->spare[number[i]])
			l->spare[number[i]]--;
		else
			l->too_many = number[i];
	}
	lp_free(number);
	lp_free(by_end);
}

/* Is it inserted more than once? */
static bool comes_again(const struct lp_lazy *l, uint32_t number)
{
	return number != LP_LAZY_NONE && l->first[number] != LP_LAZY_NONE &&
	       l->items[l->first[number]].next != LP_LAZY_NONE;
}

/* The removals to which L3 does not apply. */
static void set_patience(struct lp_lazy *l)
{
	uint32_t asking = 0;   /* open calls that ask */
	uint32_t last = 0;     /* when one last was, + 1 */
	uint32_t *since = lp_alloc(sizeof *since * (l->p->count + 1));

	for (uint32_t rank = 0; rank < l->p->ranks; rank++) {
		const uint32_t op = l->p->events[rank] / 2;
		const bool asks = l->calls[op].want == LP_LAZY_SEES || l->calls[op].want == LP_LAZY_SEES_SOME;
		if (!(l->p->events[rank] & 1)) {
			since[op] = rank;
			asking += asks;
		}
		if (asking)
			last = rank + 1;
		if (l->p->events[rank] & 1) {
			l->calls[op].patient = last > since[op] || comes_again(l, l->calls[op].number);
			asking -= asks;
		}
	}
	lp_free(since);
}

/* Can there be more values than the bound, if insertions are as early and removals as late as
 * possible? */
static bool may_be_full(const struct lp_lazy *l, int64_t bound)
{
	int64_t most = 0, count = 0;

	for (uint32_t rank = 0; rank < l->p->ranks; rank++) {
		const struct lp_lazy_call *c = &l->calls[l->p->events[rank] / 2];
		const bool ends = l->p->events[rank] & 1;
		count += !ends && c->item != LP_LAZY_NONE;
		count -= ends && c->want == LP_LAZY_TAKES;
		most = count > most ? count : most;
	}
	return most > bound;
}

bool lp_lazy_is_for(const struct lp_problem *p)
{
	const enum lp_discipline leaves = lp_kind_traits(p->spec.kind)->leaves;

	return leaves != LP_LEAVES_NONE && leaves != LP_LEAVES_EITHER_END && !lp_spec_has_meetings(&p->spec);
}

bool lp_lazy_open(struct lp_lazy *l)
{
	const struct lp_problem *p = l->p;

	if (!lp_lazy_is_for(p))
		return false;
	l->leaves = lp_kind_traits(p->spec.kind)->leaves;
	l->greatest = param(p, "max");
	l->blocks = param(p, "blocking");
	l->calls = lp_alloc(sizeof *l->calls * (p->count + 1));
	const struct methods methods = methods_of(p->spec.kind);
	for (uint32_t i = 0; i < p->count; i++)
		if (!classify(l, &methods, i))
			return false;
	make_items(l);
	set_patience(l);
	const int bounded = lp_spec_param(&p->spec, "bounded");
	if (bounded >= 0 && p->spec.param[bounded])
		l->relaxed |= may_be_full(l, p->spec.param[bounded]);
	return true;
}

/* Do the quick methods support such a call? */
static bool is_plain(const struct lp_lazy_call *c)
{
	return c->want == LP_LAZY_TAKES || c->want == LP_LAZY_FINDS_NOTHING || (c->want == LP_LAZY_TAKES_UNKNOWN && c->is_pending) ||
	       c->want == LP_LAZY_NO_WANT;
}

static void rename_ops(const struct lp_lazy *l, struct lp_problem *plain, const uint32_t *ops)
{
	const uint32_t remove = lp_kind_method(l->p->spec.kind, LP_VERB_TAKE);

	for (uint32_t i = 0; i < plain->count; i++) {
		const struct lp_lazy_call *c = &l->calls[ops[i]];
		struct lp_history_op *op = &plain->ops[i];
		if (c->item != LP_LAZY_NONE) {
			op->arg = c->number;
		} else {
			op->method = (uint8_t)remove;
			op->arg = LP_VOID;
			op->result = c->want == LP_LAZY_TAKES ? (int64_t)c->number : LP_EMPTY;
		}
	}
	plain->methods = 0;
	for (uint32_t i = 0; i < plain->count; i++)
		plain->methods |= UINT64_C(1) << plain->ops[i].method;
	for (uint32_t i = 0; i < LP_MAX_PARAMS; i++)
		plain->spec.param[i] = 0;
}

void lp_lazy_close(struct lp_lazy *l)
{
	lp_free(l->calls);
	lp_free(l->spare);
	lp_free(l->items);
	lp_free(l->first);
}

bool lp_lazy_plain(const struct lp_problem *p, struct lp_problem *plain, uint32_t *ops)
{
	struct lp_lazy l = { .p = p };
	uint32_t count = 0;
	/* The values of a priority queue have an order. */
	bool good = lp_lazy_open(&l) && !l.relaxed && l.leaves != LP_LEAVES_BY_ORDER;

	for (uint32_t i = 0; i < p->count && good; i++) {
		good = is_plain(&l.calls[i]) && !comes_again(&l, l.calls[i].number);
		if (l.calls[i].want != LP_LAZY_NO_WANT || l.calls[i].item != LP_LAZY_NONE)
			ops[count++] = i;
	}
	if (good) {
		lp_problem_part(plain, p, ops, NULL, count);
		rename_ops(&l, plain, ops);
	}
	lp_lazy_close(&l);
	return good;
}
