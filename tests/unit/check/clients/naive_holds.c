/* naive_holds.c -- what locks have to order; see naive_holds.h. */
#include "naive_holds.h"

#include "spec/spec.h"

enum { TAKES = 1, GIVES = 2, READER = 4 };

static unsigned held(const struct naive_question *q, uint32_t call)
{
	const struct lp_method *m = &q->spec->kind->methods[q->o->call[call].method];
	const bool success = naive_result(m, &q->o->call[call]) == 1;

	if (naive_is(q->spec, m, "lock.lock semaphore.acquire rwlock.write_lock"))
		return TAKES;
	if (naive_is(q->spec, m, "lock.trylock semaphore.try_acquire rwlock.try_write_lock"))
		return success ? TAKES : 0;
	if (naive_is(q->spec, m, "lock.unlock semaphore.release rwlock.write_unlock"))
		return GIVES;
	if (naive_is(q->spec, m, "rwlock.read_lock"))
		return TAKES | READER;
	if (naive_is(q->spec, m, "rwlock.try_read_lock"))
		return success ? TAKES | READER : 0;
	return naive_is(q->spec, m, "rwlock.read_unlock") ? GIVES | READER : 0;
}

static bool has_readers(const struct naive_question *q)
{
	return q->spec->kind == lp_kind_named("rwlock");
}

bool naive_holds_any(const struct naive_question *q)
{
	return q->spec->kind == lp_kind_named("lock") || q->spec->kind == lp_kind_named("semaphore") ||
	       has_readers(q);
}

void naive_holds_next(const struct naive_question *q, const uint32_t *calls, uint32_t count,
		      uint32_t call, rel *owed, rel *handed)
{
	const unsigned mine = held(q, call);
	rel before = 0;

	for (uint32_t i = 0; i < count && mine & TAKES; i++) {
		const unsigned other = held(q, calls[i]);
		if (other & GIVES && !(mine & other & READER))
			before |= pair(calls[i], call);
	}
	*(has_readers(q) ? owed : handed) |= before;
}

/* Hall: every set of them has as many to choose from as they are, of the first permits and of those
 * given by calls that happen before one of the set. */
bool naive_holds_enough(const struct naive_question *q, const uint32_t *calls, uint32_t count)
{
	const uint32_t first = q->spec->kind == lp_kind_named("lock") ? 1 : (uint32_t)q->spec->param[0];

	for (uint32_t set = 0; set < UINT32_C(1) << count; set++) {
		uint32_t takes = 0, choice = first;
		bool proper = true;
		for (uint32_t i = 0; i < count; i++) {
			const unsigned role = held(q, calls[i]);
			bool seen = false;
			for (uint32_t k = 0; k < count; k++)
				seen |= set >> k & 1 && q->o->happens[calls[i]] >> calls[k] & 1;
			takes += set >> i & 1;
			proper &= !(set >> i & 1) || role & TAKES;
			choice += seen && role & GIVES;
		}
		if (proper && takes > choice)
			return false;
	}
	return true;
}
