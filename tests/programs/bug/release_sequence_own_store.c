/* Does a relaxed store continue the release sequence of its thread's earlier release?  In C11 it does; C++20
 * took that out, and leaves read-modify-writes.
 * expect rc11: verified, executions 3
 * expect rc11 --release-sequences c11: verified, executions 3
 * expect rc11 --release-sequences c20: violation race at BUG
 * expect rc11 --release-sequences c20 -- -DRELEASE: verified, executions 3, says "only read-modify-writes continue them"
 * expect rc11 --release-sequences c20 -- -DFENCE: verified, executions 3
 * expect rc11 --release-sequences c20 -- -DUPDATE: verified, executions 3
 * expect sc,tso,ra --release-sequences c20: verified
 */
#include "../parallel.h"

static int message;
static atomic_int flag;

static void sender(void)
{
	message = 42; /* BUG */
#ifdef FENCE
	atomic_thread_fence(memory_order_release);
#endif
	store(&flag, 1, release);
#ifdef UPDATE
	fetch_add(&flag, 1, relaxed);
#elif defined RELEASE
	store(&flag, 2, release);
#else
	store(&flag, 2, relaxed);
#endif
}

static void receiver(void)
{
	if (load(&flag, acquire) == 2)
		assert(message == 42); /* BUG */
}

int main(void)
{
	parallel(sender, receiver);
	return 0;
}
