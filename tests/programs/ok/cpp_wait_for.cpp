/* A timed wait ends in time or late; if late, the clock says so, and the loop in it ends.
 * options: --nondet 0..1
 * expect sc,rc11: verified, outcomes in time | late
 */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <linchpin.h>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

int main()
{
	std::thread other([] {
		std::lock_guard<std::mutex> hold(mutex);
		ready = true;
		changed.notify_one();
	});
	{
		std::unique_lock<std::mutex> hold(mutex);
		const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
		const bool seen = changed.wait_until(hold, until, [] { return ready; });
		assert(seen || std::chrono::steady_clock::now() >= until);
		lp_outcome(seen ? "in time" : "late");
	}
	other.join();
}
