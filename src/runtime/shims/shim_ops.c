/* shim_ops.c -- operations on the words that synchronisation objects consist of. */
#include "runtime/shims/shim.h"

#include <string.h>

#include "base/error.h"

static struct lp_op op_at(const struct shim_site *at, enum lp_op_kind kind, const void *loc,
			  unsigned size, enum lp_order order, struct shim_if cond)
{
	LP_HOLDS((uintptr_t)loc % size == 0 && size <= 16);
	LP_HOLDS(cond.when == LP_ALWAYS || cond.mask.lo || cond.mask.hi); /* a condition depends on some bits */
	return (struct lp_op){
		.kind = (uint8_t)kind,
		.size = (uint8_t)size,
		.order = (uint8_t)order,
		.fail_order = LP_RLX,
		.when = (uint8_t)cond.when,
		.otherwise = (uint8_t)cond.otherwise,
		.mask = lp_value_truncate(cond.mask, size),
		.value = lp_value_truncate(cond.value, size),
		.internal = true,
		.partial = at->partial,
		.loc = (uintptr_t)loc,
		.pc = at->pc,
		.name = at->name,
	};
}

struct lp_response shim_rmw(const struct shim_site *at, void *loc, unsigned size, struct shim_change change, enum lp_order order,
			    struct shim_if cond)
{
	struct lp_op op = op_at(at, LP_OP_RMW, loc, size, order, cond);

	op.rmw = (uint8_t)change.rmw;
	op.operand = lp_value_truncate(change.operand, size);
	const struct lp_response answer = rt_op(&op);
	LP_HOLDS(!answer.failed || cond.otherwise == LP_ELSE_FAIL); /* otherwise the operation waits,
	                                                             * or the execution is dropped */
	LP_HOLDS(answer.failed != lp_op_holds(&op, answer.value));
	return answer;
}

struct lp_value shim_arrive(const struct shim_site *at, uint64_t *arrivals, uint64_t total)
{
	struct lp_op op = op_at(at, LP_OP_RMW, arrivals, sizeof *arrivals, LP_ACQREL, SHIM_ALWAYS);

	LP_HOLDS(total);
	op.rmw = LP_ADD;
	op.operand = lp_value(1);
	op.arrives = rt_ignores_result() ? LP_ARRIVES_UNSEEN : LP_ARRIVES;
	op.round = (uint32_t)total;
	return rt_op(&op).value;
}

struct lp_value shim_load(const struct shim_site *at, const void *loc, unsigned size,
			  enum lp_order order)
{
	const struct lp_op op = op_at(at, LP_OP_LOAD, loc, size, order, SHIM_ALWAYS);

	return rt_op(&op).value;
}

void shim_must_be_free(const struct shim_site *at, const void *loc, unsigned size, const char *what)
{
	struct lp_op op = op_at(at, LP_OP_LOAD, loc, size, LP_RLX, SHIM_ALWAYS);

	LP_HOLDS(size <= sizeof(uint64_t)); /* the whole word is compared */
	op.lock = true;
	if (rt_op(&op).value.lo != 0)
		rt_error(LP_ERROR_MUTEX, at->pc, loc, "%s() of a %s that is held", at->name, what);
}

void shim_refuse_held(const struct shim_site *at, const void *lock, lp_tid owner, const char *what)
{
	if (!owner || (owner == rt_me() + 1 && rt_on_own_stack(lock)))
		return;
	LP_HOLDS(rt_thread_exists(owner - 1));
	rt_error(LP_ERROR_MUTEX, at->pc, lock, "%s() of a %s that thread %u holds", at->name, what,
		 owner - 1);
}

struct lp_value shim_await(const struct shim_site *at, const void *loc, unsigned size,
			   struct shim_if cond)
{
	const struct lp_op op = op_at(at, LP_OP_LOAD, loc, size, LP_ACQ, cond);
	const struct lp_value value = rt_op(&op).value;

	LP_HOLDS(lp_op_holds(&op, value));
	return value;
}

void shim_store(const struct shim_site *at, void *loc, unsigned size, enum lp_order order,
		uint64_t value)
{
	struct lp_op op = op_at(at, LP_OP_STORE, loc, size, order, SHIM_ALWAYS);

	LP_HOLDS(size >= sizeof value || !(value >> 8 * size)); /* the word has room for the value */
	op.operand = lp_value_truncate(lp_value(value), size);
	rt_op(&op);
}

bool shim_times_out(const struct shim_site *at, const void *loc, struct shim_if busy,
		    const struct timespec *until)
{
	LP_HOLDS(busy.when != LP_ALWAYS && busy.otherwise == LP_ELSE_DROP);
	if (!rt_choose(at->name, at->pc, 2))
		return false;
	const struct lp_op op = op_at(at, LP_OP_LOAD, loc, 8, LP_RLX, busy);
	rt_op(&op);
	shim_time_is_up(at, until);
	return true;
}

void shim_take(const struct shim_site *at, void *loc, unsigned size, uint64_t owner,
	       enum shim_patience patience)
{
	struct lp_op op = op_at(at, LP_OP_RMW, loc, size, LP_ACQ,
				SHIM_IF_EQUAL(lp_value(0), shim_otherwise(patience)));

	LP_HOLDS(lp_value_truncate(lp_value(owner), size).lo); /* 0 means that the lock is free */
	LP_HOLDS(patience != SHIM_MAY_GIVE_UP); /* that is a wait for a signal */
	op.rmw = LP_XCHG;
	op.operand = lp_value_truncate(lp_value(owner), size);
	op.lock = true;
	const struct lp_response answer = at->simple ? rt_simple_op(&op) : rt_op(&op);
	LP_HOLDS(!answer.failed && !answer.value.lo); /* it was free */
}

void shim_give_back(const struct shim_site *at, void *loc, unsigned size)
{
	struct lp_op op = op_at(at, LP_OP_STORE, loc, size, LP_REL, SHIM_ALWAYS);

	op.lock = true;
	rt_op(&op);
}

void shim_yield(const struct shim_site *at)
{
	const struct lp_op op = {
		.kind = LP_OP_YIELD, .pc = at->pc, .name = at->name, .internal = true,
	};

	rt_op(&op);
}

void shim_object(const struct shim_site *at, const void *object, size_t size)
{
	rt_live(object, size, at->pc);
}

/* The last word of an object that was destroyed. */
static const uint64_t destroyed = UINT64_MAX;

void shim_destroy(const struct shim_site *at, void *object, size_t size)
{
	LP_HOLDS(size > sizeof destroyed);
	rt_fill(object, 0, size, at->pc);
	if (!rt_compared())
		rt_write((char *)object + size - sizeof destroyed, &destroyed, sizeof destroyed, at->pc);
}

void shim_usable(const struct shim_site *at, const void *object, size_t size, const char *what)
{
	shim_object(at, object, size);
	if (!rt_compared() && !memcmp((const char *)object + size - sizeof destroyed, &destroyed, sizeof destroyed))
		rt_error(LP_ERROR_MUTEX, at->pc, object, "%s() of a %s that was destroyed", at->name, what);
}

void shim_lock(const struct shim_site *at, uint64_t *word)
{
	shim_take(at, word, sizeof *word, 1, SHIM_FOREVER);
}

void shim_unlock(const struct shim_site *at, uint64_t *word)
{
	shim_give_back(at, word, sizeof *word);
}

/* ---- sets of waiting threads ---- */

/* The bit of the current thread in a set of waiters. */
struct lp_value shim_own_bit(const struct shim_site *at)
{
	const lp_tid self = rt_self();

	if (self >= SHIM_THREADS)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL,
			 "%s() by thread %u: sets of waiting threads have room for %d",
			 at->name, self, SHIM_THREADS);
	return self < 64 ? (struct lp_value){ UINT64_C(1) << self, 0 }
			 : (struct lp_value){ 0, UINT64_C(1) << (self - 64) };
}

static uint32_t members(struct lp_value set)
{
	return (uint32_t)(__builtin_popcountll(set.lo) + __builtin_popcountll(set.hi));
}

static struct lp_value complement(struct lp_value v)
{
	return (struct lp_value){ ~v.lo, ~v.hi };
}

/* A thread that takes another one out of a set tells it so, by a store.  If the woken thread read the set
 * instead, it could do so at any later time, which would give many executions that no thread can
 * distinguish. */
static void tell_woken(const struct shim_site *at, struct lp_value set)
{
	for (lp_tid t = 0; t < SHIM_THREADS; t++)
		if ((t < 64 ? set.lo >> t : set.hi >> (t - 64)) & 1)
			shim_store(at, rt_wake_word(t), sizeof(uint64_t), LP_REL, 1);
}

void shim_waiters_join(const struct shim_site *at, void *set)
{
	shim_rmw(at, set, 16, SHIM_OR(shim_own_bit(at)), LP_ACQREL, SHIM_ALWAYS);
}

/* A wait that may end by itself ends by leaving the set.  Then the thread must still be in the set:
 * the case that it was woken first belongs to the other choice. */
bool shim_waiters_wait(const struct shim_site *at, void *set, enum shim_patience patience)
{
	const struct lp_value own = shim_own_bit(at);

	LP_HOLDS(members(own) == 1);
	if (patience != SHIM_FOREVER && rt_choose(at->name, at->pc, 2)) {
		shim_rmw(at, set, 16, SHIM_AND(complement(own)), LP_ACQREL,
			 SHIM_IF_SET(own, LP_ELSE_DROP));
		return false;
	}
	shim_rmw(at, rt_wake_word(rt_self()), sizeof(uint64_t), SHIM_XCHG(lp_value(0)), LP_ACQ,
		 SHIM_IF_EQUAL(lp_value(1), shim_otherwise(patience)));
	return true;
}

/* The n-th member of a set, as a set. */
static struct lp_value nth_member(struct lp_value set, uint32_t n)
{
	LP_HOLDS(n < members(set));
	for (; n > 0; n--) {
		if (set.lo)
			set.lo &= set.lo - 1;
		else
			set.hi &= set.hi - 1;
	}
	return set.lo ? (struct lp_value){ set.lo & -set.lo, 0 }
		      : (struct lp_value){ 0, set.hi & -set.hi };
}

/* The set is read first, because the choice of the thread to wake needs its size.  If the set has
 * changed when this thread is taken out, the execution is dropped: in another execution the read
 * comes directly before the removal. */
bool shim_waiters_wake_one(const struct shim_site *at, void *set)
{
	const struct lp_value seen = shim_load(at, set, 16, LP_ACQ);
	const uint32_t count = members(seen);

	if (count == 0)
		return false;
	const struct lp_value one = nth_member(seen, count > 1 ? rt_choose(at->name, at->pc, count) : 0);
	LP_HOLDS(members(one) == 1 && !(one.lo & ~seen.lo) && !(one.hi & ~seen.hi));
	shim_rmw(at, set, 16, SHIM_AND(complement(one)), LP_ACQREL, SHIM_IF_EQUAL(seen, LP_ELSE_DROP));
	tell_woken(at, one);
	return true;
}

uint32_t shim_waiters_wake_all(const struct shim_site *at, void *set)
{
	const struct lp_value all = shim_rmw(at, set, 16, SHIM_XCHG(lp_value(0)), LP_ACQREL, SHIM_ALWAYS).value;

	tell_woken(at, all);
	return members(all);
}
