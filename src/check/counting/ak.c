/* ak.c -- the monitor: updates its counters at each call and return. */
#include "check/counting/ak.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/counting/ak_state.h"
#include "spec/traits.h"

bool lp_ak_is_for(const struct lp_spec *spec)
{
	return lp_kind_traits(spec->kind)->leaves != LP_LEAVES_NONE && !lp_spec_is_lenient(spec);
}

static enum lp_ak_role role_of(const struct lp_method *method)
{
	const bool reads = (method->roles & LP_READS) == LP_READS;

	if (method->roles & LP_INSERTS)
		return LP_AK_INSERTS;
	if (method->roles & LP_REMOVES)
		return method->args ? LP_AK_DISCARDS : LP_AK_TAKES;
	if (reads && method->result == LP_VALUE_OR_EMPTY)
		return LP_AK_LOOKS;
	if (reads && method->result == LP_TRUTH && !method->args)
		return LP_AK_ASKS;
	return LP_AK_IGNORED;
}

static void forget(struct lp_ak *m)
{
	const size_t size = (size_t)m->k + 1;

	lp_ak_values_close(&m->values);
	m->taken = 0;
	memset(m->live, 0, sizeof *m->live * size);
	memset(m->open_removals, 0, sizeof *m->open_removals * size);
	memset(m->covered, 0, sizeof *m->covered * size);
	memset(m->live_span, 0, sizeof *m->live_span * size * size);
	for (size_t i = 0; i < size; i++) {
		m->empty[i] = LP_AK_NO_EPOCH;
		m->out[i] = (struct lp_ak_first){ LP_AK_NO_EPOCH, LP_VOID };
	}
	for (size_t i = 0; i < size * size; i++)
		m->low[i] = (struct lp_ak_first){ LP_AK_NO_EPOCH, LP_VOID };
	if (m->types)
		lp_ak_types_forget(m->types);
}

struct lp_ak *lp_ak_open(const struct lp_spec *spec, unsigned k, enum lp_ak_mode mode,
			 struct lp_error *error)
{
	const size_t size = (size_t)k + 1;

	if (!lp_ak_is_for(spec)) {
		lp_fail(error, "no counting rules for '%s'%s", spec->kind->name,
			lp_spec_is_lenient(spec) ? " whose calls may fail" : "");
		return NULL;
	}
	if (k > LP_AK_MOST) {
		lp_fail(error, "k is at most %d, not %u", LP_AK_MOST, k);
		return NULL;
	}
	struct lp_ak *m = lp_alloc_zero(1, sizeof *m);
	m->spec = *spec;
	m->k = k;
	m->mode = mode;
	m->fifo = lp_kind_traits(spec->kind)->leaves == LP_LEAVES_FIRST_IN;
	m->lifo = lp_kind_traits(spec->kind)->leaves == LP_LEAVES_LAST_IN;
	const int bounded = lp_spec_param(spec, "bounded");
	m->full = bounded >= 0 && spec->param[bounded];
	for (uint32_t i = 0; i < spec->kind->method_count && i < 64; i++)
		m->role[i] = role_of(&spec->kind->methods[i]);
	if (mode == LP_AK_COMPLETE && m->lifo) {
		m->types = lp_ak_types_open(k);
		if (!m->types) {
			lp_fail(error, "a complete check has k at most %d, not %u", LP_AK_MOST_COMPLETE,
				k);
			lp_free(m);
			return NULL;
		}
	}
	m->violation = (struct lp_ak_violation){ .value = LP_VOID, .other = LP_VOID };

	m->live = lp_alloc(size * sizeof *m->live);
	m->open_removals = lp_alloc(size * sizeof *m->open_removals);
	m->empty = lp_alloc(size * sizeof *m->empty);
	m->covered = lp_alloc(size * sizeof *m->covered);
	m->out = lp_alloc(size * sizeof *m->out);
	m->live_span = lp_alloc(size * size * sizeof *m->live_span);
	m->low = lp_alloc(size * size * sizeof *m->low);
	forget(m);
	return m;
}

void lp_ak_restart(struct lp_ak *m, uint64_t open)
{
	forget(m);
	m->open_removals[0] = open;
	m->loose = true;
	m->unsuitable[0] = '\0';
}

void lp_ak_close(struct lp_ak *m)
{
	if (!m)
		return;
	lp_ak_values_close(&m->values);
	lp_ak_types_close(m->types);
	lp_free(m->live);
	lp_free(m->open_removals);
	lp_free(m->empty);
	lp_free(m->covered);
	lp_free(m->out);
	lp_free(m->live_span);
	lp_free(m->low);
	lp_free(m);
}

uint64_t lp_ak_call(struct lp_ak *m, uint32_t method, int64_t arg)
{
	m->events++;
	if (m->returned) {
		m->returned = false;
		m->now++;
		if (m->now > m->k)
			lp_ak_shift(m);
	}
	const enum lp_ak_role role = m->role[method];
	if (role == LP_AK_TAKES || role == LP_AK_DISCARDS) {
		m->open_removals[lp_ak_top(m)]++;
	} else if (role == LP_AK_INSERTS && !m->unsuitable[0]) {
		if (lp_ak_values_find(&m->values, arg)) {
			snprintf(m->unsuitable, sizeof m->unsuitable,
				 "%lld is inserted again before it was removed", (long long)arg);
		} else {
			struct lp_ak_value *v = lp_ak_values_put(&m->values, arg);
			v->start = m->now;
			v->end = LP_AK_OPEN;
		}
	}
	return m->now;
}

static bool insertion_returns(struct lp_ak *m, int64_t arg, bool failed)
{
	struct lp_ak_value *v = lp_ak_values_find(&m->values, arg);
	bool bad = false;

	assert(v); /* its call was fed */
	if (failed) {
		if (v->taken)
			bad = lp_ak_violated(m, LP_AK_REMOVE, arg, LP_VOID);
		else if (!m->full)
			bad = lp_ak_violated(m, LP_AK_FULL, arg, LP_VOID);
	}
	if (failed || v->taken) {
		m->taken -= v->taken;
		if (!failed && m->types)
			lp_ak_types_add(m, v->start, m->now, v->out_start, v->out_end);
		lp_ak_values_drop(&m->values, v);
	} else {
		v->end = m->now;
		lp_ak_count(m, v, +1);
	}
	return bad;
}

static bool value_leaves(struct lp_ak *m, int64_t value, uint64_t start)
{
	struct lp_ak_value *v = lp_ak_values_find(&m->values, value);
	bool bad = false;

	if (!v && m->loose)
		return false;
	if (!v || v->taken)
		return lp_ak_violated(m, LP_AK_REMOVE, value, LP_VOID);
	if (v->end != LP_AK_OPEN && !v->lost)
		lp_ak_count(m, v, -1);
	/* The value was certainly present at these moments. */
	for (uint32_t p = lp_ak_place(m, v->end) + 1; p < lp_ak_place(m, start); p++)
		m->covered[p] = true;
	if (m->fifo)
		bad = lp_ak_fifo_leaves(m, v, start);
	if (m->lifo)
		bad = lp_ak_lifo_leaves(m, v, start);
	if (v->end == LP_AK_OPEN) {
		v->taken = true;
		m->taken++;
		v->out_start = start;
		v->out_end = m->now;
	} else {
		if (m->types)
			lp_ak_types_add(m, v->start, v->end, start, m->now);
		lp_ak_values_drop(&m->values, v);
	}
	return bad;
}

static void found_empty(struct lp_ak *m, uint64_t start)
{
	const uint32_t p = lp_ak_place(m, start);

	/* Nothing is certain at place 0. Of the removals that started at the same place
	 * and found nothing, it is enough to keep the one that ended first: if it has a
	 * possible moment, so have the others. */
	if (p > 0 && m->empty[p] == LP_AK_NO_EPOCH)
		m->empty[p] = m->now;
}

bool lp_ak_return(struct lp_ak *m, uint64_t epoch, uint32_t method, int64_t arg, int64_t result)
{
	const enum lp_ak_role role = m->role[method];
	bool bad = false;

	m->events++;
	m->returned = true;
	if (role == LP_AK_IGNORED || m->unsuitable[0])
		return false;
	if (epoch == LP_AK_UNSEEN) {
		if (role == LP_AK_INSERTS)
			return false;
		epoch = 0; /* before everything that is known */
		if (!m->open_removals[0])
			m->open_removals[0] = 1; /* this removal was open at the restart,
						  * so there was at least one */
	}
	if (role == LP_AK_INSERTS) {
		bad = insertion_returns(m, arg, m->spec.kind->methods[method].result == LP_SUCCESS &&
							(result == 0 || result == LP_FULL));
	} else {
		if (role == LP_AK_TAKES || role == LP_AK_DISCARDS)
			m->open_removals[lp_ak_place(m, epoch)]--;
		if (role == LP_AK_ASKS ? result == 1 : role != LP_AK_DISCARDS && result == LP_EMPTY)
			found_empty(m, epoch);
		else if (role == LP_AK_TAKES || (role == LP_AK_DISCARDS && result == 1))
			bad = value_leaves(m, role == LP_AK_TAKES ? result : arg, epoch);
		bad = bad || (m->fifo && lp_ak_fifo_left_over(m)) ||
		      (m->lifo && lp_ak_lifo_left_over(m)) || lp_ak_empties_fail(m) ||
		      (m->types && lp_ak_types_fail(m));
	}
	if (bad) {
		m->violation.event = m->events;
		m->violation.epoch = m->now;
		m->violation.method = method;
		m->violation.from = lp_ak_place(m, epoch);
		m->violation.to = lp_ak_top(m);
	}
	return bad;
}

const struct lp_ak_violation *lp_ak_violation(const struct lp_ak *m)
{
	return &m->violation;
}

const char *lp_ak_unsuitable(const struct lp_ak *m)
{
	return m->unsuitable[0] ? m->unsuitable : NULL;
}

uint64_t lp_ak_live(const struct lp_ak *m)
{
	return m->values.count;
}

uint64_t lp_ak_events(const struct lp_ak *m)
{
	return m->events;
}
