/* naive_excuse.c -- failures that others explain; see naive_excuse.h. */
#include "naive_excuse.h"

#include <string.h>

static bool has_name(const struct lp_spec *spec, uint32_t method, const char *names)
{
	const char *own = spec->kind->methods[method].names;
	const size_t length = strcspn(own, " ");

	for (; *names; names += strcspn(names, " "), names += *names == ' ')
		if (strcspn(names, " ") == length && !strncmp(names, own, length))
			return true;
	return false;
}

static bool inserts(const struct lp_spec *spec, uint32_t method)
{
	return has_name(spec, method, "enqueue push push_front push_back insert");
}

static bool removes(const struct lp_spec *spec, uint32_t method)
{
	return has_name(spec, method, "dequeue pop pop_front pop_back remove steal");
}

static bool only_looks(const struct lp_spec *spec, uint32_t method)
{
	return has_name(spec, method, "front top peek is_empty value");
}

bool naive_failed(const struct lp_spec *spec, uint32_t method, bool known, int64_t result)
{
	if (!known)
		return false;
	if (inserts(spec, method) || has_name(spec, method, "trylock try_acquire try_read_lock try_write_lock"))
		return result == 0;
	if (has_name(spec, method, "is_empty"))
		return result == 1;
	return (removes(spec, method) || has_name(spec, method, "front top peek")) && result == LP_EMPTY;
}

struct lp_spec naive_strict(const struct lp_spec *spec)
{
	static const char *const names[] = { "weak", "contended", "failing", "readers", "writers", "losing" };
	struct lp_spec strict = *spec;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (lp_spec_param(spec, names[i]) >= 0)
			strict.param[lp_spec_param(spec, names[i])] = 0;
	return strict;
}

bool naive_yields(const struct lp_spec *spec, uint32_t method, uint32_t other)
{
	return lp_spec_value(spec, "writers") && has_name(spec, method, "read_lock") && has_name(spec, other, "write_lock");
}

/* Which value leaves as the i-th one from now, when values leave at that end? */
static int64_t leaving(const struct lp_state *s, uint32_t i, bool at_back)
{
	return at_back ? s->at[s->count - 1 - i] : s->at[i];
}

static bool seems_empty(const struct lp_spec *spec, const struct lp_state *s, const struct naive_other *others, uint32_t count,
			bool at_back)
{
	uint32_t ahead = 0, unfinished = 0;

	for (uint32_t i = 0; i < count; i++) {
		const bool effect = others[i].earlier && !others[i].failed;
		ahead += others[i].overlaps && removes(spec, others[i].method) && !effect;
		unfinished += others[i].overlaps && inserts(spec, others[i].method) && effect;
	}
	if (s->count <= ahead + unfinished)
		return true;
	for (uint32_t k = 0; k <= ahead && k < s->count; k++)
		for (uint32_t i = 0; i < count; i++)
			if (others[i].overlaps && inserts(spec, others[i].method) && others[i].earlier && !others[i].failed &&
			    others[i].arg == leaving(s, k, at_back))
				return true;
	return false;
}

static bool seems_full(const struct lp_spec *spec, const struct lp_state *s, const struct naive_other *others, uint32_t count)
{
	const int64_t bound = lp_spec_value(spec, "bounded");
	int64_t ahead = 0, put = 0, unfinished = 0;

	for (uint32_t i = 0; i < count; i++) {
		const bool effect = others[i].earlier && !others[i].failed;
		put += inserts(spec, others[i].method) && effect;
		ahead += others[i].overlaps && inserts(spec, others[i].method) && !effect;
		unfinished += others[i].overlaps && removes(spec, others[i].method) && effect;
	}
	return bound && (s->count + ahead >= bound || (unfinished && put + ahead >= bound));
}

/* Is there another one under way that has not got it yet? */
static bool comes(const struct lp_spec *spec, const struct naive_other *others, uint32_t count, const char *names)
{
	bool found = false;

	for (uint32_t i = 0; i < count; i++)
		found |= others[i].overlaps && has_name(spec, others[i].method, names) && !(others[i].earlier && !others[i].failed);
	return found;
}

bool naive_excused(const struct lp_spec *spec, uint32_t method, bool known, int64_t result, const struct lp_state *state,
		   const struct naive_other *others, uint32_t count)
{
	const bool max = lp_spec_value(spec, "max");
	bool company = false;

	if (!naive_failed(spec, method, known, result))
		return false;
	for (uint32_t i = 0; i < count; i++)
		company |= others[i].overlaps && !only_looks(spec, others[i].method);
	if (lp_spec_value(spec, "failing") || (lp_spec_value(spec, "contended") && company))
		return true;
	if (has_name(spec, method, "try_read_lock"))
		return lp_spec_value(spec, "writers") && comes(spec, others, count, "write_lock");
	if (has_name(spec, method, "try_write_lock"))
		return lp_spec_value(spec, "readers") && comes(spec, others, count, "read_lock try_read_lock");
	if (has_name(spec, method, "steal") && lp_spec_value(spec, "losing")) /* another removal */
		for (uint32_t i = 0; i < count; i++)
			if (others[i].overlaps && removes(spec, others[i].method))
				return true;
	if (!lp_spec_value(spec, "weak"))
		return false;
	if (inserts(spec, method))
		return seems_full(spec, state, others, count);
	const bool stack = !strcmp(spec->kind->name, "stack"), deque = !strcmp(spec->kind->name, "deque");
	const bool both = deque && has_name(spec, method, "is_empty");
	const bool back = stack || max || (deque && has_name(spec, method, "pop_back"));
	return seems_empty(spec, state, others, count, back) || (both && seems_empty(spec, state, others, count, true));
}
