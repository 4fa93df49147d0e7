/* ak_rules.c -- evaluates the rules rv, ev, fv and lv (docs/algorithms/ak.md) on counters.
 *
 * The paper (ak.h) writes these rules as formulae with quantifiers over values (figure 4).  Here each violation is looked
 * for when the last of its calls returns.  No other event can cause a violation: a new call may still be left out, and a
 * shift of the places only removes order.  So the values that were removed need not be kept, except the extreme ones for
 * each place.
 *
 * A value that stays may have been taken by a removal that is still open.  All constraints have the form "a value
 * inserted before e was taken by a removal that started no later than d".  So by Hall's theorem it is enough to compare
 * two numbers for each d: how many values must have been taken by removals that started no later than d, and how many
 * such removals are open.  The oldest values and the oldest removals can be matched in order.  For queues the conditions
 * together are exact.
 */
#include "check/counting/ak_state.h"

#include <string.h>

void lp_ak_count(struct lp_ak *m, const struct lp_ak_value *v, int by)
{
	const uint32_t from = lp_ak_place(m, v->start), to = lp_ak_place(m, v->end);

	m->live[to] += (uint64_t)by;
	m->live_span[lp_ak_cell(m, from, to)] += (uint64_t)by;
}

static void shift_counts(uint64_t *at, unsigned k)
{
	if (!k)
		return;
	at[0] += at[1];
	memmove(at + 1, at + 2, sizeof *at * (k - 1));
	at[k] = 0;
}

static void shift_spans(struct lp_ak *m)
{
	const struct lp_ak_first none = { LP_AK_NO_EPOCH, LP_VOID };

	/* Upwards, so that a cell is read before it is written. */
	for (uint32_t from = 0; from <= m->k; from++)
		for (uint32_t to = from; to <= m->k; to++) {
			const uint32_t here = lp_ak_cell(m, from, to);
			const uint32_t there =
				lp_ak_cell(m, from ? from - 1 : 0, to ? to - 1 : 0);
			if (here == there)
				continue;
			m->live_span[there] += m->live_span[here];
			m->live_span[here] = 0;
			m->low[there] = m->low[here]; /* the entries for `from` = 0 are not used */
			m->low[here] = none;
		}
}

void lp_ak_shift(struct lp_ak *m)
{
	const unsigned k = m->k;

	if (!k)
		return;
	shift_counts(m->live, k);
	shift_counts(m->open_removals, k);
	memmove(m->empty, m->empty + 1, sizeof *m->empty * k);
	memmove(m->covered, m->covered + 1, sizeof *m->covered * k);
	memmove(m->out, m->out + 1, sizeof *m->out * k);
	m->empty[k] = LP_AK_NO_EPOCH;
	m->covered[k] = false;
	m->out[k] = (struct lp_ak_first){ LP_AK_NO_EPOCH, LP_VOID };
	if (m->lifo)
		shift_spans(m);
	if (m->types)
		lp_ak_types_shift(m);
}

bool lp_ak_violated(struct lp_ak *m, enum lp_ak_rule rule, int64_t value, int64_t other)
{
	m->violation.rule = rule;
	m->violation.value = value;
	m->violation.other = other;
	return true;
}

/* Counts the open removals that started at `place` or before. */
static uint64_t open_removals_by(const struct lp_ak *m, uint32_t place)
{
	uint64_t sum = 0;

	for (uint32_t p = 0; p <= place; p++)
		sum += m->open_removals[p];
	return sum;
}

/* The values in question should have left, and would be reported again at each return.  So removes up to `excess` of
 * those inserted by [after.., ..before) from the counters.  Returns one of them for the report. */
static int64_t forgive(struct lp_ak *m, uint32_t after, uint32_t before, uint64_t excess)
{
	int64_t value = LP_VOID;

	for (uint64_t i = 0; i < m->values.size && excess; i++) {
		struct lp_ak_value *v = &m->values.at[i];
		if (!v->used || v->taken || v->lost || v->end == LP_AK_OPEN ||
		    lp_ak_place(m, v->end) >= before || lp_ak_place(m, v->start) < after)
			continue;
		lp_ak_count(m, v, -1);
		v->lost = true;
		value = v->value;
		excess--;
	}
	return value;
}

/* fv: v was inserted before some w, but w had already been removed when the removal of v started. */
bool lp_ak_fifo_leaves(struct lp_ak *m, const struct lp_ak_value *v, uint64_t start)
{
	const uint32_t top = lp_ak_top(m), in = lp_ak_place(m, v->start);
	bool bad = false;

	if (lp_ak_place(m, start) > 0)
		for (uint32_t p = lp_ak_place(m, v->end) + 1; p <= top && !bad; p++)
			if (m->out[p].end < start)
				bad = lp_ak_violated(m, LP_AK_FIFO, v->value, m->out[p].value);
	if (in > 0 && m->out[in].end == LP_AK_NO_EPOCH)
		m->out[in] = (struct lp_ak_first){ m->now, v->value };
	return bad;
}

/* fv: let w be a removed value.  Every value that was inserted before w must have been removed, or taken by an open
 * removal that started before the removal of w ended. */
bool lp_ak_fifo_left_over(struct lp_ak *m)
{
	struct lp_ak_first first = { LP_AK_NO_EPOCH, LP_VOID };
	uint64_t before = 0;

	for (uint32_t p = 0; p < lp_ak_top(m); p++)
		before += m->live[p];
	for (uint32_t p = lp_ak_top(m); p > 0 && before; before -= m->live[--p]) {
		if (m->out[p].end < first.end)
			first = m->out[p];
		if (first.end == LP_AK_NO_EPOCH)
			continue;
		const uint64_t open_removals = open_removals_by(m, lp_ak_place(m, first.end));
		if (before > open_removals)
			return lp_ak_violated(m, LP_AK_FIFO, forgive(m, 0, p, before - open_removals),
					   first.value);
	}
	return false;
}

/* lv: w was inserted before v; v was inserted before the removal of w began; and the removal of w ended before the
 * removal of v began.
 *
 *     insert w |--|       remove w |--|
 *     insert v      |--|  remove v       |--|
 */
bool lp_ak_lifo_leaves(struct lp_ak *m, const struct lp_ak_value *v, uint64_t start)
{
	const uint32_t out = lp_ak_place(m, start), top = lp_ak_top(m);
	bool bad = false;

	if (lp_ak_place(m, v->start) > 0)
		for (uint32_t from = lp_ak_place(m, v->end) + 1; from < out; from++)
			for (uint32_t to = from; to < out && !bad; to++) {
				const struct lp_ak_first *low = &m->low[lp_ak_cell(m, from, to)];
				if (low->end < v->start)
					bad = lp_ak_violated(m, LP_AK_LIFO, low->value, v->value);
			}
	struct lp_ak_first *mine = &m->low[lp_ak_cell(m, out, top)];
	if (out > 0 && v->end < mine->end)
		*mine = (struct lp_ak_first){ v->end, v->value };
	return bad;
}

/* If a value below it was removed, a value inserted by [from, to] must have been taken before.  Returns the last
 * place at which its removal can have started; k + 1 if there is no such condition. */
static uint32_t lifo_deadline(const struct lp_ak *m, uint32_t from, uint32_t to,
			      int64_t *below)
{
	const uint32_t top = lp_ak_top(m);

	for (uint32_t end = to + 1; end <= top; end++)
		for (uint32_t start = to + 1; start <= end; start++) {
			const struct lp_ak_first *low = &m->low[lp_ak_cell(m, start, end)];
			if (low->end != LP_AK_NO_EPOCH && lp_ak_place(m, low->end) < from) {
				*below = low->value;
				return end;
			}
		}
	return m->k + 1;
}

bool lp_ak_lifo_left_over(struct lp_ak *m)
{
	uint64_t due[LP_AK_MOST + 2] = { 0 }, sum = 0;
	int64_t below[LP_AK_MOST + 2], ignored;
	const uint32_t top = lp_ak_top(m);

	for (uint32_t from = 1; from < top; from++)
		for (uint32_t to = from; to < top; to++) {
			const uint64_t here = m->live_span[lp_ak_cell(m, from, to)];
			if (!here)
				continue;
			const uint32_t end = lifo_deadline(m, from, to, &ignored);
			if (end > top)
				continue;
			due[end] += here;
			below[end] = ignored;
		}
	for (uint32_t end = 1; end <= top; end++) {
		sum += due[end];
		if (due[end] && sum > open_removals_by(m, end)) {
			const int64_t value = below[end];
			/* Any value with this deadline will do; starts with those inserted by this cell. */
			for (uint32_t from = 1; from < end; from++)
				for (uint32_t to = from; to < end; to++)
					if (m->live_span[lp_ak_cell(m, from, to)] &&
					    lifo_deadline(m, from, to, &ignored) <= end) {
						const int64_t other = forgive(
							m, from, to + 1, sum - open_removals_by(m, end));
						return lp_ak_violated(m, LP_AK_LIFO, value, other);
					}
		}
	}
	return false;
}

/* ev: a call that found nothing needs a moment at which no removed value was certainly present, and by which all
 * values that stay can have been taken. */
bool lp_ak_empties_fail(struct lp_ak *m)
{
	const uint32_t top = lp_ak_top(m);

	for (uint32_t from = 1; from <= top; from++) {
		if (m->empty[from] == LP_AK_NO_EPOCH)
			continue;
		const uint32_t to = lp_ak_place(m, m->empty[from]);
		uint64_t there = 0;
		bool possible = false;

		for (uint32_t p = 0; p < from; p++)
			there += m->live[p];
		for (uint32_t p = from; p <= to && !possible; there += m->live[p++])
			possible = !m->covered[p] && there <= open_removals_by(m, p);
		if (possible)
			continue;
		m->empty[from] = LP_AK_NO_EPOCH;
		/* For the report, finds a value that was present. */
		int64_t value = LP_VOID;
		for (uint64_t i = 0; i < m->values.size && i < 1000 && value == LP_VOID; i++)
			if (m->values.at[i].used && m->values.at[i].end != LP_AK_OPEN &&
			    lp_ak_place(m, m->values.at[i].end) < from)
				value = m->values.at[i].value;
		return lp_ak_violated(m, LP_AK_EMPTY, value, LP_VOID);
	}
	return false;
}
