/* pthread_exit() destroys the objects of the functions that it leaves: a destructor, or a handler, writes what main() writes,
 * or takes locks in the other order.  The exit must not be caught.
 * expect sc,tso,ra,rc11: violation race at BUG
 * expect rc11 -- -DCLEANUP: violation race at BUG
 * expect rc11 -- -DORDER: violation deadlock
 * expect rc11 -- -DCAUGHT: violation assertion, says "caught by catch (...), and not thrown again"
 */
#include <atomic>
#include <mutex>
#include <pthread.h>

static int written;
static std::atomic<bool> nearly_done;
static std::mutex first, second;

static void write(void *)
{
	written = 1; /* BUG */
}

struct guard {
	~guard()
	{
		write(nullptr);
	}
};

struct locks {
	~locks()
	{
		std::lock_guard<std::mutex> lock(second);
	}
};

static void *run(void *)
{
#if defined CLEANUP
	pthread_cleanup_push(write, nullptr);
	nearly_done = true;
	pthread_exit(nullptr);
	pthread_cleanup_pop(0);
#elif defined ORDER
	std::lock_guard<std::mutex> lock(first);
	locks then;
	pthread_exit(nullptr);
#elif defined CAUGHT
	try {
		pthread_exit(nullptr);
	} catch (...) {
	}
	return nullptr;
#else
	guard g;
	nearly_done = true;
	pthread_exit(nullptr);
#endif
}

int main()
{
	pthread_t thread;

	pthread_create(&thread, nullptr, run, nullptr);
	if (nearly_done)
		written = 2; /* BUG */
	{
		std::lock_guard<std::mutex> lock(second), other(first);
	}
	pthread_join(thread, nullptr);
}
