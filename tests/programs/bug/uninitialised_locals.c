/* Local variables that become values are never in memory; that they were not written is known all the same.
 * expect sc,rc11: violation uninitialised at BUG, says "a local variable that was never written"
 * expect rc11 -- -O0: violation uninitialised at BUG
 * expect rc11 -- -O2: violation uninitialised at BUG
 * expect rc11 -- -DMEMBER: violation uninitialised at BUG
 * expect rc11 -- -DMEMBER -O2: violation uninitialised at BUG
 * expect rc11 -- -DRESULT: violation uninitialised at BUG
 * expect rc11 -- -DRESULT -O2: violation uninitialised at BUG
 * expect rc11 -- -DITERATION: violation uninitialised at BUG
 * expect rc11 -- -DPOINTER: violation uninitialised at BUG
 * expect rc11 -- -DCHOSEN: violation uninitialised at BUG
 * expect rc11 -- -DPART: violation uninitialised at BUG
 * expect rc11 -- -DSELF: violation uninitialised at BUG
 */
#include "../parallel.h"

static atomic_int flag;
static int sink;

static void set_flag(void)
{
	store(&flag, 1, relaxed);
}

struct three {
	int first, second, third;
};

/* Inlined: then the caller's variable is known to nothing else. */
static int try_get(int *out)
{
	if (!load(&flag, relaxed))
		return 0;
	*out = 5;
	return 1;
}

static void reader(void)
{
#if defined MEMBER
	struct three a, b;
	a.first = a.third = 1;
	b = a;
	sink = b.first + b.third;
	sink = b.second; /* BUG */
#elif defined RESULT
	int v;
	if (try_get(&v))
		sink = v;
	else
		sink = v + 1; /* BUG */
#elif defined ITERATION
	for (int i = 0; i < 2; i++) {
		int each;
		if (i == 0)
			each = 1;
		sink = each; /* BUG */
	}
#elif defined POINTER
	int *p;
	if (load(&flag, relaxed))
		p = &sink;
	*p = 1; /* BUG */
#elif defined CHOSEN
	int a = 1, b;
	const int *p = load(&flag, relaxed) ? &a : &b;
	sink = *p; /* BUG */
#elif defined PART
	union {
		short half;
		int whole;
	} u;
	u.half = 1;
	sink = u.whole; /* BUG */
#elif defined SELF
	int x = x;
	if (load(&flag, relaxed))
		x = 1;
	sink = x; /* BUG */
#else
	int x;
	if (load(&flag, relaxed))
		x = 1;
	sink = x; /* BUG */
#endif
}

int main(void)
{
	(void)try_get;
	parallel(set_flag, reader);
	return 0;
}
