/* Values that come out of other threads, and a condition variable of any lock.
 * options: -- -std=c++17
 * expect sc,rc11: verified
 */
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any ready;
static bool told;

static int work(std::promise<int> promise)
{
	promise.set_value(3);
	std::lock_guard<std::mutex> lock(mutex);
	told = true;
	ready.notify_all();
	return 5;
}

int main()
{
	std::promise<int> promise;
	std::future<int> value = promise.get_future();
	std::future<int> end = std::async(std::launch::async, work, std::move(promise));

	{
		std::unique_lock<std::mutex> lock(mutex);
		ready.wait(lock, [] { return told; });
	}
	assert(value.get() == 3);
	assert(end.get() == 5);
}
