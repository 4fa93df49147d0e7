// cell.cpp -- two counters in one: a template with two instances, a header, macros, code in the harness.
#include "cell.h"

#include <linchpin.h>

static cell<int> small;
static cell<long> large;
static std::atomic<long> evens, spare;

static long add(long by)
{
	const long now = is_even(by) ? large.bump(by) : small.bump(static_cast<int>(by));
	ADD_IF(is_even(now), evens, 1); ADD_IF(by > 100, spare, 1);
	return 0;
}

static long total()
{
	return large.value.load() + small.value.load();
}

// Only the invariant needs it: no part of the object.
static bool is_sane(long n)
{
	if (n < 0)
		return false;
	return true;
}

LP_SPEC("counter")
LP_METHOD(increment) { add(1); return LP_VOID; }
LP_METHOD(read) { long n = total(); return n == 0 ? 0 : n; }
LP_INVARIANT { return is_sane(total()); }
