/* core.c -- finds a small part of a wrong history that is wrong by itself. */
#include "check/history/core.h"

#include <string.h>

#include "check/history/quiet.h"
#include "check/sort.h"
#include "check/weak/weak.h"
#include "spec/traits.h"

struct shrink {
	const struct lp_core_question *q;
	const struct lp_problem *p; /* the problem of q */
	struct lp_core *core;
	uint32_t *unit; /* for each operation of `p` its unit, which is left out as a whole; LP_NO_OP: the operation
			 * stays */
	uint32_t units;
};

static bool is_wrong(struct shrink *s, const uint32_t *ops, const bool *open, uint32_t count)
{
	struct lp_problem part;

	lp_problem_part(&part, s->p, ops, open, count);
	const enum lp_finding finding = s->q->decide(s->q->context, &part);
	lp_problem_close(&part);
	return finding == LP_WRONG;
}

static bool out_of_time(const struct shrink *s)
{
	return lp_search_now() > s->q->deadline || !lp_problem_is_wanted(s->p, 0);
}

/* Keeps the operations that have started before `rank`. */
static uint32_t prefix(const struct shrink *s, uint32_t rank, uint32_t *ops, bool *open)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->p->count; i++) {
		if (s->p->ops[i].start >= rank)
			continue;
		open[count] = s->p->ops[i].end >= rank && s->p->ops[i].end != LP_NEVER;
		ops[count++] = i;
	}
	return count;
}

/* If a prefix is wrong, so are all longer ones: bisection finds the shortest wrong prefix. */
static void shorten(struct shrink *s)
{
	uint32_t low = 0, high = s->p->ranks; /* the prefix up to `low` is correct, the one up to `high` is wrong */
	uint32_t *ops = lp_alloc(sizeof *ops * s->p->count);
	bool *open = lp_alloc(sizeof *open * s->p->count);

	while (high - low > 1 && !out_of_time(s)) {
		const uint32_t middle = low + (high - low) / 2;
		const uint32_t count = prefix(s, middle, ops, open);
		if (is_wrong(s, ops, open, count))
			high = middle;
		else
			low = middle;
	}
	s->core->count = prefix(s, high, s->core->ops, s->core->open);
	lp_free(ops);
	lp_free(open);
}

/* Returns the value that the call inserts or writes; LP_VOID if there is none. */
static int64_t value_put(const struct lp_problem *p, const struct lp_history_op *op)
{
	const struct lp_method *m = lp_op_method(p, op);
	const bool fails = (m->result == LP_TRUTH || m->result == LP_SUCCESS) && op->results == 1 && !op->result;

	if (!(m->roles & (LP_INSERTS | LP_REPLACES)) || !m->args || fails)
		return LP_VOID;
	return m->roles & LP_INSERTS || p->spec.kind->by_key || m->args < 2 ? op->arg : p->history->at[op->call].arg[1];
}

/* Returns the value that the call has found in the object; LP_VOID if there is none. */
static int64_t value_found(const struct lp_problem *p, const struct lp_history_op *op)
{
	if (value_put(p, op) != LP_VOID)
		return LP_VOID;
	return lp_op_method(p, op)->args ? op->arg : op->results == 1 ? op->result : LP_VOID;
}

static bool starts_earlier(const struct lp_problem *p, uint32_t op, uint32_t than)
{
	return than == LP_NO_OP || p->ops[op].start < p->ops[than].start;
}

/* A call that finds a value is always wrong, and explains nothing, if no call inserts the value.  So if the history
 * has insertions of the value, but `kept` has none, the first one must stay.  Returns whether insertions were added. */
static bool find_origins(const struct lp_problem *p, const bool *kept, bool *stays)
{
	const uint32_t n = p->count;
	int64_t *value = lp_alloc(sizeof *value * 2 * (n + 1));
	uint32_t *number = lp_alloc(sizeof *number * 2 * (n + 1));
	bool more = false;

	for (uint32_t i = 0; i < n; i++) {
		value[i] = value_put(p, &p->ops[i]);
		value[n + i] = value_found(p, &p->ops[i]);
	}
	const uint32_t count = lp_sort_number_values(value, 2 * n, number);
	uint32_t *first = lp_alloc(sizeof *first * 2 * (count + 1)), *first_kept = first + count + 1;
	memset(first, 0xff, sizeof *first * 2 * (count + 1));
	for (uint32_t i = 0; i < n; i++) {
		if (value[i] == LP_VOID)
			continue;
		if (starts_earlier(p, i, first[number[i]]))
			first[number[i]] = i;
		if (kept[i] && starts_earlier(p, i, first_kept[number[i]]))
			first_kept[number[i]] = i;
	}
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t put = first[number[n + i]], put_kept = first_kept[number[n + i]];
		if (!kept[i] || value[n + i] == LP_VOID || put == LP_NO_OP || p->ops[put].start >= p->ops[i].end ||
		    (put_kept != LP_NO_OP && p->ops[put_kept].start < p->ops[i].end) || stays[put])
			continue;
		stays[put] = true;
		more = true;
	}
	lp_free(first);
	lp_free(number);
	lp_free(value);
	return more;
}

/* Leaves out the calls of a part between two quiet moments with the same possible states. */
static uint32_t cut_part(const struct lp_problem *part, uint32_t *ops)
{
	bool *stays = lp_alloc_zero(part->count + 1, sizeof *stays), more = true;
	uint32_t count = 0;

	while (more) {
		bool *kept = lp_alloc_zero(part->count + 1, sizeof *kept);
		count = lp_quiet_cut(part, stays, ops);
		for (uint32_t i = 0; i < count; i++)
			kept[ops[i]] = true;
		more = find_origins(part, kept, stays);
		lp_free(kept);
	}
	lp_free(stays);
	return count;
}

static void cut_quiet(struct shrink *s)
{
	struct lp_core *core = s->core;
	uint32_t *ops = lp_alloc(sizeof *ops * (core->count + 1));
	bool *open = lp_alloc(sizeof *open * (core->count + 1));
	struct lp_problem part;

	lp_problem_part(&part, s->p, core->ops, core->open, core->count);
	const uint32_t count = cut_part(&part, ops);
	lp_problem_close(&part);
	for (uint32_t i = 0; i < count; i++) {
		open[i] = core->open[ops[i]];
		ops[i] = core->ops[ops[i]];
	}
	if (count < core->count && is_wrong(s, ops, open, count)) {
		memcpy(core->ops, ops, sizeof *ops * count);
		memcpy(core->open, open, sizeof *open * count);
		core->count = count;
	}
	lp_free(ops);
	lp_free(open);
}

/* Does the operation have no effect in any state, so that it can be left out alone?  Under a weak property, an
 * operation without effect at its own replica may have an effect where other calls see it. */
static bool is_look(const struct lp_problem *p, const struct lp_history_op *op, const struct lp_weak *weak)
{
	const struct lp_method *m = lp_op_method(p, op);

	if ((m->roles & LP_READS) == LP_READS)
		return true;
	if (weak || !(m->roles & LP_OBSERVES) || op->results != 1)
		return false;
	return op->result == LP_EMPTY || (m->result == LP_TRUTH && !op->result);
}

/* Does some call return the number of values, or remove an unknown value?  Then no value can be left out. */
static bool is_counted(const struct lp_problem *p, const struct lp_weak *weak)
{
	static const enum lp_verb verbs[] = { LP_VERB_IS_EMPTY, LP_VERB_SIZE };

	for (uint32_t m = 0; m < p->spec.kind->method_count && !weak; m++)
		if ((p->methods >> m & 1) && p->spec.kind->by_key && p->spec.kind->methods[m].result == LP_VALUES)
			return true;
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		const uint32_t m = lp_kind_method(p->spec.kind, verbs[i]);
		if (m != LP_NO_METHOD && (p->methods >> m & 1))
			return true;
	}
	for (uint32_t i = 0; i < p->count; i++)
		if (p->ops[i].results == LP_RESULT_UNKNOWN && !lp_op_is_pending(&p->ops[i]))
			return true;
	return false;
}

enum grouping { BY_NOTHING, BY_VALUE, BY_WRITE, BY_KEY, BY_PAIR };

static enum grouping grouping_of(const struct lp_problem *p, const struct lp_weak *weak)
{
	const struct lp_kind *kind = p->spec.kind;
	const int bounded = lp_spec_param(&p->spec, "bounded");

	if ((bounded >= 0 && p->spec.param[bounded]) || is_counted(p, weak))
		return BY_NOTHING;
	if (!lp_kind_is_builtin(kind))
		return BY_NOTHING;
	if (lp_kind_traits(kind)->leaves != LP_LEAVES_NONE || lp_kind_traits(kind)->scored ||
	    lp_kind_method(kind, LP_VERB_STEAL) != LP_NO_METHOD)
		return BY_VALUE;
	return kind->by_key ? BY_KEY : lp_kind_method(kind, LP_VERB_WRITE) != LP_NO_METHOD ? BY_WRITE : BY_NOTHING;
}

/* Do calls only read and write?  Then all operations on one value of a register, or of a key, are a unit, because no
 * call depends on two values. */
static bool only_reads_and_writes(const struct lp_problem *p)
{
	const uint32_t read = lp_kind_method(p->spec.kind, LP_VERB_READ);
	const uint32_t write = lp_kind_method(p->spec.kind, LP_VERB_WRITE);

	return read != LP_NO_METHOD && write != LP_NO_METHOD &&
	       !(p->methods & ~(UINT64_C(1) << read | UINT64_C(1) << write));
}

/* Numbers the pairs of key and value of a map that is only read and written. */
static uint32_t number_pairs(const struct lp_problem *p, const int64_t *keys, uint32_t *unit)
{
	int64_t *pairs = lp_alloc(sizeof *pairs * p->count);

	for (uint32_t i = 0; i < p->count; i++) {
		const struct lp_history_op *op = &p->ops[i];
		pairs[i] = lp_op_method(p, op)->args > 1 ? p->history->at[op->call].arg[1] :
			   op->results == 1		 ? op->result :
							   LP_VOID;
	}
	const uint32_t keys_there = lp_sort_number_values(keys, p->count, unit);
	uint32_t *value = lp_alloc(sizeof *value * p->count);
	lp_sort_number_values(pairs, p->count, value);
	for (uint32_t i = 0; i < p->count; i++)
		pairs[i] = (int64_t)value[i] * keys_there + unit[i];
	const uint32_t count = lp_sort_number_values(pairs, p->count, unit);
	lp_free(value);
	lp_free(pairs);
	return count;
}

/* The last update that returned decides which calls are final, so it stays, together with its unit. */
static void keep_last_update(const struct lp_problem *p, uint32_t *unit)
{
	uint32_t last = LP_NO_OP;

	for (uint32_t i = 0; i < p->count; i++) {
		const struct lp_history_op *op = &p->ops[i];
		if ((lp_op_method(p, op)->roles & LP_READS) != LP_READS && !lp_op_is_pending(op) &&
		    (last == LP_NO_OP || op->end > p->ops[last].end))
			last = i;
	}
	const uint32_t stays = last == LP_NO_OP ? LP_NO_OP : unit[last];
	for (uint32_t i = 0; i < p->count; i++)
		if (unit[i] == stays)
			unit[i] = LP_NO_OP;
}

uint32_t lp_core_units(const struct lp_problem *p, bool looks, const struct lp_weak *weak, uint32_t *unit)
{
	enum grouping grouping = grouping_of(p, weak);
	uint32_t count = 0;

	if (looks) {
		for (uint32_t i = 0; i < p->count; i++)
			unit[i] = is_look(p, &p->ops[i], weak) ? count++ : LP_NO_OP;
		return count;
	}
	if (grouping == BY_WRITE && !only_reads_and_writes(p))
		grouping = BY_NOTHING;
	if (grouping == BY_KEY && only_reads_and_writes(p))
		grouping = BY_PAIR;

	int64_t *values = lp_alloc(sizeof *values * p->count);
	for (uint32_t i = 0; i < p->count; i++) {
		const struct lp_history_op *op = &p->ops[i];
		values[i] = lp_op_method(p, op)->args ? op->arg :
			    op->results == 1          ? op->result :
							LP_VOID;
		if (lp_kind_traits(p->spec.kind)->scored && lp_op_method(p, op)->args > 1)
			values[i] = p->history->at[op->call].arg[1]; /* the item */
	}
	count = grouping == BY_PAIR ? number_pairs(p, values, unit) : lp_sort_number_values(values, p->count, unit);
	for (uint32_t i = 0; i < p->count; i++)
		if (grouping == BY_NOTHING || values[i] == LP_VOID)
			unit[i] = LP_NO_OP;
	if (weak && weak->settles)
		keep_last_update(p, unit);
	lp_free(values);
	return count;
}

/* Lists the units that occur in the core. */
static uint32_t list_units(const struct shrink *s, uint32_t *list)
{
	bool *known = lp_alloc_zero(s->units, sizeof *known);
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->core->count; i++) {
		const uint32_t unit = s->unit[s->core->ops[i]];
		if (unit != LP_NO_OP && !known[unit]) {
			known[unit] = true;
			list[count++] = unit;
		}
	}
	lp_free(known);
	return count;
}

/* Tries to leave out the units list[from] .. list[to-1]. */
static bool drop_units(struct shrink *s, const uint32_t *list, uint32_t from, uint32_t to)
{
	struct lp_core *core = s->core;
	bool *gone = lp_alloc_zero(s->units, sizeof *gone);
	uint32_t *ops = lp_alloc(sizeof *ops * core->count), count = 0;
	bool *open = lp_alloc(sizeof *open * core->count);

	for (uint32_t i = from; i < to; i++)
		gone[list[i]] = true;
	for (uint32_t i = 0; i < core->count; i++) {
		const uint32_t unit = s->unit[core->ops[i]];
		if (unit != LP_NO_OP && gone[unit])
			continue;
		open[count] = core->open[i];
		ops[count++] = core->ops[i];
	}
	const bool wrong = count < core->count && is_wrong(s, ops, open, count);
	if (wrong) {
		memcpy(core->ops, ops, sizeof *ops * count);
		memcpy(core->open, open, sizeof *open * count);
		core->count = count;
	}
	lp_free(gone);
	lp_free(ops);
	lp_free(open);
	return wrong;
}

/* Finds the units of the remaining operations.  Without calls that ask for the number of values, for example, values
 * can be removed that could not be removed before. */
static void find_units(struct shrink *s, bool looks)
{
	const struct lp_core *core = s->core;
	uint32_t *unit = lp_alloc(sizeof *unit * core->count);
	struct lp_problem part;

	lp_problem_part(&part, s->p, core->ops, NULL, core->count);
	s->units = lp_core_units(&part, looks, s->q->weak, unit);
	for (uint32_t i = 0; i < core->count; i++)
		s->unit[core->ops[i]] = unit[i];
	lp_problem_close(&part);
	lp_free(unit);
}

/* Leaves out halves of the units, quarters, ..., single units, until no single unit can be left out.  Returns false
 * if time runs out. */
static bool thin_out(struct shrink *s, bool looks)
{
	uint32_t *list = lp_alloc(sizeof *list * s->p->count);
	bool in_time = true;

	find_units(s, looks);
	uint32_t count = list_units(s, list), size = count;
	while (size && in_time) {
		bool dropped = false;
		for (uint32_t from = 0; from < count && in_time;) {
			const uint32_t to = from + size < count ? from + size : count;
			if (drop_units(s, list, from, to)) {
				memmove(list + from, list + to, sizeof *list * (count - to));
				count -= to - from;
				dropped = true;
			} else {
				from = to;
			}
			in_time = !out_of_time(s);
		}
		if (size > 1)
			size /= 2;
		else if (!dropped)
			break;
	}
	lp_free(list);
	return in_time;
}

void lp_core_open(struct lp_core *core, const struct lp_core_question *q, const uint32_t *ops, uint32_t count)
{
	const struct lp_problem *p = q->p;
	struct shrink s = { .q = q, .p = p, .core = core };

	core->ops = lp_alloc(sizeof *core->ops * p->count);
	core->open = lp_alloc_zero(p->count, sizeof *core->open);
	core->count = 0;
	core->minimal = false;
	/* Without the calls that explain a failure, the history would be wrong for another reason. */
	if (lp_spec_uses_overlap(&p->spec)) {
		for (; core->count < p->count; core->count++)
			core->ops[core->count] = core->count;
		return;
	}
	bool *known = lp_alloc_zero(p->count, sizeof *known);
	for (uint32_t i = 0; i < count; i++) { /* an operation may be blamed twice */
		if (!known[ops[i]])
			core->ops[core->count++] = ops[i];
		known[ops[i]] = true;
	}
	bool *stays = lp_alloc_zero(p->count + 1, sizeof *stays);
	const bool partial = find_origins(p, known, stays);
	lp_free(stays);
	lp_free(known);
	if (q->property == LP_LINEARIZABLE) {
		if (!core->count || core->count == p->count || partial ||
		    !is_wrong(&s, core->ops, core->open, core->count))
			shorten(&s);
	} else {
		core->count = prefix(&s, p->ranks, core->ops, core->open);
	}
	if (q->property != LP_QUIESCENT) {
		s.unit = lp_alloc(sizeof *s.unit * p->count);
		uint32_t before;
		do {
			before = core->count;
			if (q->property == LP_LINEARIZABLE)
				cut_quiet(&s);
			core->minimal = thin_out(&s, false) && thin_out(&s, true);
		} while (core->minimal && core->count < before);
		lp_free(s.unit);
	}
}

void lp_core_close(struct lp_core *core)
{
	lp_free(core->ops);
	lp_free(core->open);
	*core = (struct lp_core){ 0 };
}
