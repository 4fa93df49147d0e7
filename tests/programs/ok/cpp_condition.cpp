/* std::condition_variable with a predicate.
 * expect sc,rc11: verified
 */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready;

int main()
{
	std::thread waiter([] {
		std::unique_lock<std::mutex> guard(lock);
		changed.wait(guard, [] { return ready; });
		assert(ready);
	});
	{
		std::lock_guard<std::mutex> guard(lock);
		ready = true;
	}
	changed.notify_one();
	waiter.join();
	return 0;
}
