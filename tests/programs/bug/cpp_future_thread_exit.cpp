/* set_value_at_thread_exit() makes the result ready when the thread's thread_local objects have been destroyed; set_value()
 * does so at once.
 * expect sc,tso,ra,rc11: verified
 * expect rc11 -- -DTOO_EARLY: violation race|assertion
 */
#include <cassert>
#include <future>
#include <thread>

static int destroyed;

struct last {
	int used = 0;

	~last()
	{
		destroyed = used;
	}
};

static thread_local last object;

int main()
{
	std::promise<int> promise;
	std::future<int> future = promise.get_future();
	std::thread thread([&promise] {
		object.used = 1;
#if defined TOO_EARLY
		promise.set_value(2);
#else
		promise.set_value_at_thread_exit(2);
#endif
	});

	assert(future.get() == 2 && destroyed == 1);
	thread.join();
}
