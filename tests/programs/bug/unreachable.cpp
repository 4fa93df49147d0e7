/* Places that must never be reached, in an execution that reaches one; a compiler takes them for impossible.
 * expect sc,rc11: violation crash at BUG, says "must never reach"
 * expect sc -- -O0: violation crash at BUG, says "must never reach"
 * expect sc -- -DRETURNS: violation crash at BUG, says "must never reach"
 * expect sc -- -DRESULT -Wno-return-type: violation crash, says "without returning a value"
 */
#include <atomic>
#include <cstdlib>
#include <pthread.h>

static std::atomic<int> state;

[[noreturn]] static void fails(int now)
{
	if (now > 2)
		abort();
#pragma clang diagnostic ignored "-Winvalid-noreturn"
}

static int next(int now)
{
	if (now == 0)
		return 1;
	if (now == 1)
		return 3;
#if defined RETURNS
	fails(now); /* BUG */
#elif !defined RESULT
	__builtin_unreachable(); /* BUG */
#endif
}

static void *sets(void *unused)
{
	state = 2;
	return unused;
}

int main()
{
	pthread_t t;

	(void)fails;
	pthread_create(&t, nullptr, sets, nullptr);
	state = next(state);
	pthread_join(t, nullptr);
	return 0;
}
